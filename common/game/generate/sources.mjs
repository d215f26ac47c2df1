// Reads the two sources from disk.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openJar } from './jar.mjs';

export const kMinestomArtifact = 'net.minestom:data:26.1-rv1';
const kVersion = '26.1';
const kJarFolder = 'net/minestom/data/';

// `modules`: a node_modules folder with minecraft-data.
export function readMinecraftData(modules) {
  const root = join(modules, 'minecraft-data');
  const wanted = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8')).dependencies[
    'minecraft-data'
  ];
  const found = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version;
  if (found !== wanted) throw new Error(`${root}: minecraft-data ${found}, but ${wanted} is wanted`);
  const read = (name) =>
    JSON.parse(readFileSync(join(root, 'minecraft-data/data/pc', kVersion, `${name}.json`), 'utf8'));
  const byId = (a, b) => a.id - b.id;
  return {
    blocks: read('blocks').sort(byId),
    shapes: read('blockCollisionShapes'),
    items: read('items').sort(byId),
    entities: read('entities').sort(byId),
    protocol: read('protocol'),
    codec: read('loginPacket').dimensionCodec,
  };
}

export function readMinestomData(jarPath) {
  const jar = openJar(jarPath);
  const read = (name) => jar.json(`${kJarFolder}${name}.json`);
  const version = read('constants').name;
  if (version !== kVersion) throw new Error(`${jarPath}: data of ${version}, but ${kVersion} is wanted`);
  const tags = {};
  for (const name of jar.names) {
    const match = name.match(/^net\/minestom\/data\/tags\/(\w+)\.json$/);
    if (match) tags[match[1] === 'biome' ? 'worldgen/biome' : match[1]] = jar.json(name);
  }
  return {
    block: read('block'),
    item: read('item'),
    entity_type: read('entity_type'),
    fluid: read('fluid'),
    game_event: read('game_event'),
    potion_type: read('potion_type'),
    tags,
  };
}
