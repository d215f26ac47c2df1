// node check.mjs [--modules node_modules] [--jar PATH]
// Builds the generated files anew and compares them, byte for byte, with those in the project. Sources that are not
// given are fetched into a temporary folder with npm and Maven. Exit code 0: equal, 1: not.
// Without Maven, and without --jar, only what minecraft-data gives is compared, and a line says so.

import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { buildOutputs, kGameData } from './outputs.mjs';
import { kMinestomArtifact, readMinecraftData, readMinestomData } from './sources.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, '../../..');

function run(command, args, cwd) {
  const result = spawnSync(command, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'], encoding: 'utf8' });
  if (result.error) throw new Error(`${command}: ${result.error.message}`);
  if (result.status !== 0) {
    throw new Error(
      `${command} ${args.join(' ')}: exit code ${result.status}\n${result.stdout}${result.stderr}`,
    );
  }
}

function isInstalled(command) {
  return spawnSync(command, ['--version'], { stdio: 'ignore' }).status === 0;
}

function fetchModules(folder) {
  for (const file of ['package.json', 'package-lock.json'])
    copyFileSync(join(here, file), join(folder, file));
  run('npm', ['ci', '--no-audit', '--no-fund'], folder);
  return join(folder, 'node_modules');
}

function fetchJar(folder) {
  run('mvn', ['-q', '-B', 'dependency:get', `-Dartifact=${kMinestomArtifact}`, '-Dtransitive=false'], folder);
  run(
    'mvn',
    ['-q', '-B', 'dependency:copy', `-Dartifact=${kMinestomArtifact}`, `-DoutputDirectory=${folder}`],
    folder,
  );
  const name = readdirSync(folder).find((file) => file.endsWith('.jar'));
  if (name === undefined) throw new Error(`Maven left no jar of ${kMinestomArtifact} in ${folder}`);
  return join(folder, name);
}

function compare(outputs) {
  let failed = 0;
  for (const [path, bytes] of outputs) {
    const committed = readFileSync(join(root, path));
    if (committed.equals(bytes)) {
      console.log(`ok: ${path} is what the generator writes (${bytes.length} bytes)`);
      continue;
    }
    failed++;
    let at = 0;
    while (at < bytes.length && at < committed.length && bytes[at] === committed[at]) at++;
    console.error(
      `failed: ${path} (${committed.length} bytes) is not what the generator writes (${bytes.length} bytes), ` +
        `first difference at byte ${at}; run generate.mjs and commit the result`,
    );
  }
  return failed;
}

const { values: options } = parseArgs({ options: { modules: { type: 'string' }, jar: { type: 'string' } } });
const folder = mkdtempSync(join(tmpdir(), 'game-data-'));
let failed = 0;
try {
  const minecraft = readMinecraftData(options.modules ?? fetchModules(folder));
  let minestom;
  if (options.jar !== undefined || isInstalled('mvn')) {
    minestom = readMinestomData(options.jar ?? fetchJar(folder));
  } else {
    console.log(`skipped: ${kGameData} needs ${kMinestomArtifact}, and Maven (mvn) is not installed`);
  }
  failed = compare(buildOutputs(minecraft, minestom));
} catch (error) {
  console.error(`failed: ${error.message}`);
  failed++;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.exit(failed === 0 ? 0 : 1);
