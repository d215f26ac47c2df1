// Builds data_26_1.bin out of minecraft-data (blocks, states, shapes, items, entities, registries) and
// net.minestom:data (figures of each state, tags).

import { kFlags, Strings, Writer, assemble } from './layout.mjs';
import { networkNbt, stringsOf } from './nbt.mjs';
import {
  hasFluid,
  isReplaceable,
  isTradeablePotion,
  kPointOfInterestTags,
  kPointOfInterestTypes,
  lightEmission,
} from './rules.mjs';

const kNoBlock = 0xffff;
const kRegistryCount = 28;

function expect(condition, message) {
  if (!condition) throw new Error(message);
}

const bare = (name) => name.replace(/^minecraft:/, '');
const byText = (a, b) => (a < b ? -1 : a > b ? 1 : 0);

// Section bytes of equal elements.
class Table {
  constructor() {
    this.writer = new Writer();
    this.count = 0;
  }
  add(write) {
    write(this.writer);
    return this.count++;
  }
  section() {
    return { bytes: this.writer.take(), count: this.count };
  }
}

function bytesSection(writer) {
  return { bytes: writer.take(), count: writer.length };
}

function nameIndex(names) {
  const table = new Table();
  names
    .map((name, id) => ({ name, id }))
    .sort((a, b) => byText(a.name, b.name))
    .forEach(({ id }) => table.add((w) => w.u16(id)));
  return table.section();
}

function propertyValues(property) {
  return property.values ?? ['true', 'false'];
}

// Property values of the state number `index` of a block: the last property changes fastest.
function stateProperties(properties, index) {
  const result = {};
  for (let i = properties.length - 1; i >= 0; i--) {
    const values = propertyValues(properties[i]);
    result[properties[i].name] = values[index % values.length];
    index = Math.floor(index / values.length);
  }
  return result;
}

function blockSections(strings, minecraft, minestom, leaves) {
  const blocks = new Table();
  const properties = new Table();
  const values = new Table();
  const stateBlock = new Table();
  const stateShape = new Table();
  const stateLight = new Table();
  const stateFlags = new Table();
  const shapes = new Table();
  const boxes = new Table();
  const knownProperties = new Map();
  const knownValues = new Map();
  const knownShapes = new Map();

  const valueRun = (list) => {
    const key = list.join();
    if (!knownValues.has(key)) {
      knownValues.set(key, values.count);
      list.forEach((value) => values.add((w) => w.u32(strings.text(value))));
    }
    return knownValues.get(key);
  };
  const propertyRun = (list) => {
    const key = JSON.stringify(list.map((p) => [p.name, propertyValues(p)]));
    if (!knownProperties.has(key)) {
      const runs = list.map((p) => valueRun(propertyValues(p)));
      knownProperties.set(key, properties.count);
      list.forEach((p, i) =>
        properties.add((w) => w.u32(strings.text(p.name)).u16(runs[i]).u16(propertyValues(p).length)),
      );
    }
    return knownProperties.get(key);
  };
  const shapeOf = (list) => {
    const key = JSON.stringify(list);
    if (!knownShapes.has(key)) {
      knownShapes.set(
        key,
        shapes.add((w) => w.u16(boxes.count)),
      );
      list.forEach((box) => boxes.add((w) => box.forEach((edge) => w.f32(edge))));
    }
    return knownShapes.get(key);
  };

  const isFullCube = (list) => JSON.stringify(list) === '[[0,0,0,1,1,1]]';
  for (const block of minecraft.blocks) {
    const figures = minestom.block[`minecraft:${block.name}`];
    expect(figures !== undefined, `block.json: ${block.name} is missing`);
    expect(
      figures.id === blocks.count && block.id === blocks.count,
      `${block.name}: the sources number it differently`,
    );
    expect(
      figures.defaultStateId === block.defaultState,
      `${block.name}: the sources' default states differ`,
    );
    expect(
      block.minStateId === stateBlock.count,
      `${block.name}: states do not follow on those of the block before`,
    );
    const stateCount = block.maxStateId - block.minStateId + 1;
    const product = block.states.reduce((n, p) => n * propertyValues(p).length, 1);
    expect(product === stateCount, `${block.name}: ${stateCount} states, but its properties give ${product}`);

    const firstProperty = propertyRun(block.states);
    blocks.add((w) =>
      w
        .u32(strings.text(`minecraft:${block.name}`))
        .f32(block.hardness ?? -1)
        .u16(block.minStateId)
        .u16(stateCount)
        .u16(block.defaultState)
        .u16(firstProperty)
        .u16(block.states.length)
        .u16(0),
    );

    const statesById = new Map(
      Object.entries(figures.states).map(([text, state]) => [state.stateId, { text, state }]),
    );
    const shapeIds = minecraft.shapes.blocks[block.name];
    for (let index = 0; index < stateCount; index++) {
      const { text, state } = statesById.get(block.minStateId + index) ?? {};
      expect(state !== undefined, `block.json: ${block.name} lacks state ${block.minStateId + index}`);
      const chosen = stateProperties(block.states, index);
      const sorted = Object.entries(chosen)
        .sort(([a], [b]) => byText(a, b))
        .map(([k, v]) => `${k}=${v}`);
      expect(
        text === `[${sorted}]`,
        `${block.name}: state ${index} is ${text} in one source, ${sorted} in the other`,
      );
      const figure = (name, otherwise) => state[name] ?? figures[name] ?? otherwise;

      const shape = minecraft.shapes.shapes[Array.isArray(shapeIds) ? shapeIds[index] : shapeIds];
      const emission = lightEmission(block.name, chosen, figure('lightEmission', 0));
      const filter = figure('lightBlock', 0);
      expect(emission <= 15 && filter <= 15, `${block.name}: light out of range`);
      if (block.minStateId + index === block.defaultState) {
        const agrees = emission === block.emitLight && filter === block.filterLight;
        expect(agrees, `${block.name}: the sources' light of the default state differs`);
      }
      const fluid = hasFluid(block.name, chosen);
      let flags = 0;
      if (figure('air', false)) flags |= kFlags.air;
      if (isFullCube(shape)) flags |= kFlags.fullCube;
      if (fluid) flags |= kFlags.fluid;
      if (fluid || figure('blocksMotion', false)) flags |= kFlags.blocksMotion;
      if (leaves.has(block.name)) flags |= kFlags.leaves;
      if (isReplaceable(block.name, chosen, figure('replaceable', false))) flags |= kFlags.replaceable;
      stateBlock.add((w) => w.u16(block.id));
      stateShape.add((w) => w.u16(shapeOf(shape)));
      stateLight.add((w) => w.u8((emission << 4) | filter));
      stateFlags.add((w) => w.u8(flags));
    }
  }
  const shapeCount = shapes.count;
  shapes.add((w) => w.u16(boxes.count));
  return {
    blocks: blocks.section(),
    properties: properties.section(),
    propertyValues: values.section(),
    stateBlock: stateBlock.section(),
    stateShape: stateShape.section(),
    stateLight: stateLight.section(),
    stateFlags: stateFlags.section(),
    shapes: { ...shapes.section(), count: shapeCount },
    boxes: boxes.section(),
    blockIndex: nameIndex(minecraft.blocks.map((block) => block.name)),
  };
}

function itemSections(strings, minecraft, minestom) {
  const items = new Table();
  for (const item of minecraft.items) {
    const figures = minestom.item[`minecraft:${item.name}`];
    expect(figures !== undefined, `item.json: ${item.name} is missing`);
    expect(
      figures.id === items.count && item.id === items.count,
      `${item.name}: the sources number it differently`,
    );
    const stack = figures.components['minecraft:max_stack_size'] ?? 1;
    expect(stack === item.stackSize, `${item.name}: the sources' stack sizes differ`);
    const placed = figures.correspondingBlock;
    const block = placed === undefined ? kNoBlock : minestom.block[placed].id;
    items.add((w) =>
      w
        .u32(strings.text(`minecraft:${item.name}`))
        .u16(block)
        .u8(stack)
        .u8(0),
    );
  }
  return { items: items.section(), itemIndex: nameIndex(minecraft.items.map((item) => item.name)) };
}

function entitySections(strings, minecraft, minestom) {
  const entities = new Table();
  for (const entity of minecraft.entities) {
    const figures = minestom.entity_type[`minecraft:${entity.name}`];
    expect(
      figures?.id === entities.count && entity.id === entities.count,
      `${entity.name}: numbered differently`,
    );
    entities.add((w) =>
      w
        .u32(strings.text(`minecraft:${entity.name}`))
        .f32(entity.width)
        .f32(entity.height),
    );
  }
  const serializers = new Table();
  const mappings = minecraft.protocol.types.entityMetadataEntry[1].find((field) => field.name === 'type')
    .type[1].mappings;
  Object.keys(mappings)
    .map(Number)
    .sort((a, b) => a - b)
    .forEach((id) => {
      expect(id === serializers.count, `metadata serializers have a gap before ${id}`);
      serializers.add((w) => w.u32(strings.text(mappings[id])));
    });
  return { entityTypes: entities.section(), serializers: serializers.section() };
}

function registrySections(strings, codec) {
  const registries = new Table();
  const entries = new Table();
  const nbt = new Writer();
  for (const { id, entries: list } of Object.values(codec)) {
    expect(list.length > 0, `registry ${id} is empty`);
    registries.add((w) => w.u32(strings.text(id)).u32(entries.count).u32(list.length));
    for (const { key, value } of list) {
      const bytes = networkNbt(value);
      entries.add((w) => w.u32(strings.text(key)).u32(nbt.length).u32(bytes.length));
      nbt.raw(bytes);
    }
  }
  expect(registries.count === kRegistryCount, `${registries.count} registries instead of ${kRegistryCount}`);
  return { registries: registries.section(), registryEntries: entries.section(), nbt: bytesSection(nbt) };
}

// Registry → name → id, for the registries that have tags.
function idTables(minecraft, minestom) {
  const numbered = (list) => new Map(list.map((name, id) => [bare(name), id]));
  const listed = (table) => new Map(Object.entries(table).map(([name, { id }]) => [bare(name), id]));
  const tables = {
    block: numbered(minecraft.blocks.map((block) => block.name)),
    item: numbered(minecraft.items.map((item) => item.name)),
    entity_type: numbered(minecraft.entities.map((entity) => entity.name)),
    fluid: listed(minestom.fluid),
    game_event: listed(minestom.game_event),
    potion: listed(minestom.potion_type),
    point_of_interest_type: numbered(kPointOfInterestTypes),
  };
  for (const { id, entries } of Object.values(minecraft.codec))
    tables[bare(id)] = numbered(entries.map((e) => e.key));
  return tables;
}

// Registry → tag → ids, nesting resolved, members in the order in which the game lists them (menus show that order).
function resolveTags(minestom, tables) {
  const result = {};
  for (const [registry, tags] of Object.entries(minestom.tags)) {
    const members = (name, path) => {
      const tag = tags[name];
      expect(tag !== undefined, `tag ${name} of ${registry} is missing (named in ${path})`);
      expect(path.length < 32, `tag ${name} of ${registry} contains itself`);
      return tag.values.flatMap((value) =>
        value.startsWith('#') ? members(value.slice(1), [...path, name]) : [value],
      );
    };
    result[registry] = {};
    for (const name of Object.keys(tags)) {
      const ids = members(name, []).map((member) => {
        const id = tables[registry].get(bare(member));
        expect(id !== undefined, `tag ${name} of ${registry}: unknown member ${member}`);
        return id;
      });
      result[registry][name] = [...new Set(ids)];
    }
  }
  result.point_of_interest_type = {};
  for (const [name, members] of Object.entries(kPointOfInterestTags)) {
    result.point_of_interest_type[`minecraft:${name}`] = members.map((m) =>
      tables.point_of_interest_type.get(m),
    );
  }
  result.potion = {
    'minecraft:tradeable': [...tables.potion].filter(([name]) => isTradeablePotion(name)).map(([, id]) => id),
  };
  return result;
}

function varint(writer, value) {
  while (value > 0x7f) {
    writer.u8((value & 0x7f) | 0x80);
    value >>>= 7;
  }
  writer.u8(value);
}

function wireString(writer, string) {
  const bytes = Buffer.from(string, 'utf8');
  varint(writer, bytes.length);
  writer.raw(bytes);
}

function tagSections(strings, tags) {
  const packet = new Writer();
  const index = new Table();
  const members = new Table();
  const registries = Object.keys(tags).sort((a, b) => byText(`minecraft:${a}`, `minecraft:${b}`));
  varint(packet, registries.length);
  for (const registry of registries) {
    wireString(packet, `minecraft:${registry}`);
    const names = Object.keys(tags[registry]).sort(byText);
    varint(packet, names.length);
    for (const name of names) {
      const ids = tags[registry][name];
      wireString(packet, name);
      varint(packet, ids.length);
      ids.forEach((id) => varint(packet, id));
      index.add((w) =>
        w
          .u32(strings.text(`minecraft:${registry}`))
          .u32(strings.text(name))
          .u32(members.count)
          .u32(ids.length),
      );
      ids.forEach((id) => members.add((w) => w.u16(id)));
    }
  }
  return { tagsPacket: bytesSection(packet), tags: index.section(), tagMembers: members.section() };
}

// A tag that a registry value names must be sent, or the game's client ends the connection.
function checkNamedTags(codec, tags) {
  const known = new Set(Object.values(tags).flatMap((byName) => Object.keys(byName)));
  for (const { id, entries } of Object.values(codec)) {
    for (const { key, value } of entries) {
      for (const string of stringsOf(value)) {
        if (!/^#[a-z0-9_.-]+:/.test(string)) continue;
        expect(known.has(string.slice(1)), `${id} ${key} names ${string}, which is no tag`);
      }
    }
  }
}

export function buildGameData(minecraft, minestom) {
  const strings = new Strings();
  const tags = resolveTags(minestom, idTables(minecraft, minestom));
  checkNamedTags(minecraft.codec, tags);
  const leaves = new Set(tags.block['minecraft:leaves'].map((id) => minecraft.blocks[id].name));
  const sections = {
    ...blockSections(strings, minecraft, minestom, leaves),
    ...itemSections(strings, minecraft, minestom),
    ...entitySections(strings, minecraft, minestom),
    ...registrySections(strings, minecraft.codec),
    ...tagSections(strings, tags),
  };
  sections.strings = bytesSection(strings.writer);
  return assemble(sections);
}
