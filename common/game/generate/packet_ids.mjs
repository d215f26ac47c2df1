// Writes common/protocol/v775/packet_ids.hpp: the ids from minecraft-data's protocol.json, under the game's names.
// packet_names.json maps minecraft-data's name of a packet to the game's; a packet missing there is an error.

const kStates = [
  ['handshake', 'handshaking'],
  ['status', 'status'],
  ['login', 'login'],
  ['configuration', 'configuration'],
  ['play', 'play'],
];
const kDirections = [
  ['clientbound', 'toClient'],
  ['serverbound', 'toServer'],
];
// Not a packet of the protocol: the byte 0xfe that clients before 1.7 send.
const kIgnored = new Set(['legacy_server_list_ping']);

function constantName(name) {
  return (
    'k' +
    name
      .split(/[_/]/)
      .map((word) => word[0].toUpperCase() + word.slice(1))
      .join('')
  );
}

export function packetIdsHeader(protocol, packetNames) {
  const lines = [
    '#pragma once',
    '',
    '#include <cstdint>',
    '',
    "/// Packet ids of protocol 775 (26.1), by the game's names. Written by `common/game/generate`; do not edit.",
  ];
  for (const [state, dataState] of kStates) {
    for (const [direction, dataDirection] of kDirections) {
      const mappings = protocol[dataState][dataDirection].types.packet[1][0].type[1].mappings;
      const packets = Object.entries(mappings)
        .map(([id, name]) => ({ id: Number(id), name }))
        .filter((packet) => !kIgnored.has(packet.name))
        .sort((a, b) => a.id - b.id);
      lines.push(`namespace horizon::protocol::v775::${state}::${direction} {`);
      packets.forEach((packet, index) => {
        const name = packetNames[state][direction][packet.name];
        if (name === undefined)
          throw new Error(`packet_names.json: ${state} ${direction} ${packet.name} is missing`);
        if (packet.id !== index)
          throw new Error(`protocol.json: ${state} ${direction} has a gap before ${packet.name}`);
        lines.push(
          `inline constexpr std::int32_t ${constantName(name)} = 0x${packet.id.toString(16).padStart(2, '0')};`,
        );
      });
      lines.push('/// Ids are 0 to kCount - 1.');
      lines.push(`inline constexpr std::int32_t kCount = ${packets.length};`);
      lines.push(`}  // namespace horizon::protocol::v775::${state}::${direction}`);
      lines.push('');
    }
  }
  return lines.join('\n').replace(/\n+$/, '\n');
}
