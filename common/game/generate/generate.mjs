// node generate.mjs --jar PATH [--modules node_modules] [--out PROJECT_ROOT]
// Writes common/game/data_26_1.bin and common/protocol/v775/packet_ids.hpp. See README.md.

import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { buildOutputs } from './outputs.mjs';
import { readMinecraftData, readMinestomData } from './sources.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const { values: options } = parseArgs({
  options: {
    jar: { type: 'string' },
    modules: { type: 'string', default: join(here, 'node_modules') },
    out: { type: 'string', default: join(here, '../../..') },
  },
});
if (options.jar === undefined) {
  console.error('generate.mjs: --jar PATH of net.minestom:data is needed; README.md says how to get it');
  process.exit(2);
}
for (const [path, bytes] of buildOutputs(readMinecraftData(options.modules), readMinestomData(options.jar))) {
  const target = join(options.out, path);
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, bytes);
  console.log(`${path}: ${bytes.length} bytes`);
}
