// The files that the generator writes, as paths from the project's root.

import { readFileSync } from 'node:fs';
import { buildGameData } from './game_data.mjs';
import { packetIdsHeader } from './packet_ids.mjs';

export const kGameData = 'common/game/data_26_1.bin';
export const kPacketIds = 'common/protocol/v775/packet_ids.hpp';

// Path → contents. Without `minestom` only what minecraft-data alone gives.
export function buildOutputs(minecraft, minestom) {
  const packetNames = JSON.parse(readFileSync(new URL('packet_names.json', import.meta.url), 'utf8'));
  const outputs = new Map();
  outputs.set(kPacketIds, Buffer.from(packetIdsHeader(minecraft.protocol, packetNames), 'utf8'));
  if (minestom !== undefined) outputs.set(kGameData, buildGameData(minecraft, minestom));
  return outputs;
}
