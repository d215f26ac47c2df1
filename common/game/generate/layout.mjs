// The layout of data_26_1.bin: a header, then sections. Little-endian, each section aligned to 4 bytes.
// The reader is ../game.cpp; change both together and raise kVersion.
//
//   header   "HZGD", u32 version, then for each section u32 offset, u32 number of elements
//   text     a name is one u32: offset in `strings` (24 bits, low) and length (8 bits, high)

export const kVersion = 1;
export const kSections = [
  'strings', // bytes
  // u32 name, f32 hardness, u16 first state, u16 states, u16 default state, u16 first property, u16 properties, u16 0
  'blocks',
  'properties', // u32 name, u16 first value, u16 values
  'propertyValues', // u32 text
  'stateBlock', // u16 block
  'stateShape', // u16 shape
  'stateLight', // u8 emission << 4 | filter
  'stateFlags', // u8, kFlags
  'shapes', // u16 first box; one element more than the header counts, so that each shape has an end
  'boxes', // 6 × f32
  'blockIndex', // u16 block, in the order of the names
  'items', // u32 name, u16 block or 0xffff, u8 stack size, u8 0
  'itemIndex', // u16 item, in the order of the names
  'entityTypes', // u32 name, f32 width, f32 height
  'serializers', // u32 text
  'registries', // u32 name, u32 first entry, u32 entries
  'registryEntries', // u32 name, u32 offset in `nbt`, u32 length
  'nbt', // bytes
  'tagsPacket', // bytes
  'tags', // u32 registry, u32 name, u32 first member, u32 members; in the order of registry, then name
  'tagMembers', // u16 id
];
export const kFlags = { air: 1, fullCube: 2, fluid: 4, blocksMotion: 8, leaves: 16, replaceable: 32 };

export class Writer {
  constructor() {
    this.bytes = Buffer.alloc(1 << 16);
    this.length = 0;
  }
  reserve(size) {
    while (this.length + size > this.bytes.length)
      this.bytes = Buffer.concat([this.bytes, Buffer.alloc(this.bytes.length)]);
    this.length += size;
    return this.length - size;
  }
  put(kind, value, size) {
    const at = this.reserve(size);
    this.bytes[`write${kind}`](value, at);
    return this;
  }
  u8(value) {
    return this.put('UInt8', value, 1);
  }
  u16(value) {
    return this.put('UInt16LE', value, 2);
  }
  u32(value) {
    return this.put('UInt32LE', value, 4);
  }
  f32(value) {
    return this.put('FloatLE', value, 4);
  }
  raw(buffer) {
    // First the room: making it may replace `bytes`.
    const at = this.reserve(buffer.length);
    buffer.copy(this.bytes, at);
    return this;
  }
  take() {
    return Buffer.from(this.bytes.subarray(0, this.length));
  }
}

// Names, each stored once.
export class Strings {
  constructor() {
    this.writer = new Writer();
    this.known = new Map();
  }
  text(string) {
    let reference = this.known.get(string);
    if (reference === undefined) {
      const bytes = Buffer.from(string, 'utf8');
      const offset = this.writer.length;
      if (bytes.length > 0xff || offset > 0xffffff) throw new Error(`text too long: ${string}`);
      this.writer.raw(bytes);
      reference = bytes.length * 0x1000000 + offset;
      this.known.set(string, reference);
    }
    return reference;
  }
}

// `sections`: name → { bytes, count }.
export function assemble(sections) {
  const headerSize = 8 + 8 * kSections.length;
  const header = new Writer();
  header.raw(Buffer.from('HZGD', 'latin1')).u32(kVersion);
  const parts = [];
  let offset = headerSize;
  for (const name of kSections) {
    const { bytes, count } = sections[name];
    header.u32(offset).u32(count);
    const padding = (4 - (bytes.length % 4)) % 4;
    parts.push(bytes, Buffer.alloc(padding));
    offset += bytes.length + padding;
  }
  return Buffer.concat([header.take(), ...parts]);
}
