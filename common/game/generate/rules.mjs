// What neither source says, as rules written by hand from the game's behaviour.

// Light of a state. `listed` is what net.minestom:data says for the state or else for its block; it leaves out the
// states that are dark although the block's default state shines.
export function lightEmission(block, properties, listed) {
  // Redstone torches and campfires are lit by default; whatever can be lit is dark when it is not.
  if (properties.lit === 'false') return 0;
  // Sea pickles are alive under water by default; dry ones are dead.
  if (block === 'sea_pickle' && properties.waterlogged === 'false') return 0;
  return listed;
}

// Plants that only live under water and hold it without a `waterlogged` property, and the fluids themselves.
const kWet = new Set(['water', 'lava', 'bubble_column', 'kelp', 'kelp_plant', 'seagrass', 'tall_seagrass']);
export function hasFluid(block, properties) {
  return kWet.has(block) || properties.waterlogged === 'true';
}

// A block placed there takes its place. `listed`: the block's own flag. Of snow only the lowest layer gives way.
export function isReplaceable(block, properties, listed) {
  if (block === 'snow') return properties.layers === '1';
  return listed;
}

// Registries that clients know by number and net.minestom:data has no table of, with their tags.
const kJobSites = [
  'armorer',
  'butcher',
  'cartographer',
  'cleric',
  'farmer',
  'fisherman',
  'fletcher',
  'leatherworker',
  'librarian',
  'mason',
  'shepherd',
  'toolsmith',
  'weaponsmith',
];
export const kPointOfInterestTypes = [
  ...kJobSites,
  'home',
  'meeting',
  'beehive',
  'bee_nest',
  'nether_portal',
  'lodestone',
  'test_instance',
  'lightning_rod',
];
export const kPointOfInterestTags = {
  acquirable_job_site: kJobSites,
  bee_home: ['beehive', 'bee_nest'],
  village: [...kJobSites, 'home', 'meeting'],
};
// Potions that a wandering trader or fletcher may sell: those with an effect, without luck (it has no recipe).
export function isTradeablePotion(name) {
  return !['water', 'mundane', 'thick', 'awkward', 'luck'].includes(name);
}
