// Writes typed JSON ({ type, value }, as minecraft-data keeps NBT) as NBT in network form: a root without a name.

const kTypes = {
  end: 0,
  byte: 1,
  short: 2,
  int: 3,
  long: 4,
  float: 5,
  double: 6,
  byteArray: 7,
  string: 8,
  list: 9,
  compound: 10,
  intArray: 11,
  longArray: 12,
};

function number(kind, value, size) {
  const bytes = Buffer.alloc(size);
  bytes[`write${kind}`](value);
  return bytes;
}

// Java's modified UTF-8 differs only for NUL and beyond the basic plane, which no name of the game uses.
function string(value) {
  const bytes = Buffer.from(value, 'utf8');
  if (/[\0\u{10000}-\u{10ffff}]/u.test(value)) throw new Error(`NBT string beyond plain UTF-8: ${value}`);
  return Buffer.concat([number('UInt16BE', bytes.length, 2), bytes]);
}

function long(value) {
  // Two 32-bit halves, the high one first.
  if (Array.isArray(value)) return Buffer.concat(value.map((half) => number('Int32BE', half | 0, 4)));
  return number('BigInt64BE', BigInt(value), 8);
}

function array(values, element) {
  return Buffer.concat([number('Int32BE', values.length, 4), ...values.map(element)]);
}

function payload(type, value) {
  switch (type) {
    case 'byte':
      return number('Int8', Number(value), 1);
    case 'short':
      return number('Int16BE', value, 2);
    case 'int':
      return number('Int32BE', value, 4);
    case 'long':
      return long(value);
    case 'float':
      return number('FloatBE', value, 4);
    case 'double':
      return number('DoubleBE', value, 8);
    case 'string':
      return string(value);
    case 'byteArray':
      return array(value, (v) => number('Int8', v, 1));
    case 'intArray':
      return array(value, (v) => number('Int32BE', v, 4));
    case 'longArray':
      return array(value, long);
    case 'list': {
      const elements = value.value;
      const elementType = elements.length === 0 ? 'end' : value.type;
      return Buffer.concat([
        Buffer.from([typeId(elementType)]),
        array(elements, (element) => payload(elementType, element)),
      ]);
    }
    case 'compound':
      return Buffer.concat([
        ...Object.entries(value).flatMap(([name, tag]) => [
          Buffer.from([typeId(tag.type)]),
          string(name),
          payload(tag.type, tag.value),
        ]),
        Buffer.from([0]),
      ]);
    default:
      throw new Error(`NBT type ${type}`);
  }
}

function typeId(type) {
  const id = kTypes[type];
  if (id === undefined) throw new Error(`NBT type ${type}`);
  return id;
}

export function networkNbt(tag) {
  return Buffer.concat([Buffer.from([typeId(tag.type)]), payload(tag.type, tag.value)]);
}

// Every string in the tree.
export function* stringsOf(tag) {
  if (tag.type === 'string') yield tag.value;
  if (tag.type === 'compound') for (const child of Object.values(tag.value)) yield* stringsOf(child);
  if (tag.type === 'list')
    for (const value of tag.value.value) yield* stringsOf({ type: tag.value.type, value });
}
