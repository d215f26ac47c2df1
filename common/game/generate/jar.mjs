// Reads files out of a jar (a zip archive with a central directory, stored or deflated; no zip64).
import { readFileSync } from 'node:fs';
import { inflateRawSync } from 'node:zlib';

const kEndOfDirectory = 0x06054b50;
const kDirectoryEntry = 0x02014b50;

export function openJar(path) {
  const bytes = readFileSync(path);
  let end = bytes.length - 22;
  while (end >= 0 && bytes.readUInt32LE(end) !== kEndOfDirectory) end--;
  if (end < 0) throw new Error(`${path}: not a jar`);
  const entries = new Map();
  let at = bytes.readUInt32LE(end + 16);
  for (let i = bytes.readUInt16LE(end + 10); i > 0; i--) {
    if (bytes.readUInt32LE(at) !== kDirectoryEntry) throw new Error(`${path}: broken directory`);
    const nameLength = bytes.readUInt16LE(at + 28);
    entries.set(bytes.toString('utf8', at + 46, at + 46 + nameLength), {
      method: bytes.readUInt16LE(at + 10),
      size: bytes.readUInt32LE(at + 20),
      header: bytes.readUInt32LE(at + 42),
    });
    at += 46 + nameLength + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
  }
  return {
    names: [...entries.keys()],
    json(name) {
      const entry = entries.get(name);
      if (entry === undefined) throw new Error(`${path}: ${name} is missing`);
      const start =
        entry.header + 30 + bytes.readUInt16LE(entry.header + 26) + bytes.readUInt16LE(entry.header + 28);
      const raw = bytes.subarray(start, start + entry.size);
      return JSON.parse((entry.method === 0 ? raw : inflateRawSync(raw)).toString('utf8'));
    },
  };
}
