// What a player must not notice at the border of two shards.
import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import { test } from 'node:test'
import { bordersOn, Server, sleep, until } from './server.mjs'
import { Client, Vec3 } from './client.mjs'
const require = createRequire(import.meta.url)

const maxGapMs = 150
const maxSeenMs = 150
const viewRadius = 8

/// Walks `walker` over the border at 0 along `axis` and back, `beside` 8 blocks beside it, and checks what both saw.
async function walkOver (server, axis, { reach, crossings }) {
  const walker = await new Client(server, 'walker').join()
  const beside = await new Client(server, 'beside').join()
  const to = (client, along, across) => axis === 'x' ? client.walkTo(along, across) : client.walkTo(across, along)
  await Promise.all([to(walker, -reach, 4), to(beside, -reach, 12)])
  await sleep(1000)
  walker.reset()
  beside.reset()
  const id = walker.bot.entity.id
  assert.equal(beside.bot.players.walker?.entity?.id, id, 'the neighbour is seen before the walk')
  const watch = beside.watch(id)
  let missing = 0
  const sampler = setInterval(() => { missing = Math.max(missing, walker.missing(viewRadius)) }, 250)
  for (let i = 0; i < crossings; i++) {
    const goal = i % 2 === 0 ? reach : -reach
    watch.last = 0
    watch.active = true
    await Promise.all([to(walker, goal, 4), to(beside, goal, 12)])
    watch.active = false
    await sleep(200)
  }
  clearInterval(sampler)
  for (const client of [walker, beside]) {
    const { chunks, ...never } = client.count
    assert.deepEqual(never, { position: 0, respawn: 0, login: 0, start_configuration: 0, resent: 0 }, client.name)
    assert.equal(client.kicked, null)
    client.leave()
  }
  assert.equal(missing, 0, 'columns missing around the path')
  assert.equal(walker.bot.entity.id, id)
  assert.equal(watch.removals + watch.spawns, 0, 'the neighbour stays the same entity')
  assert.ok(watch.gaps.length > 20)
  assert.ok(Math.max(...watch.gaps) <= maxGapMs, `longest gap in the neighbour's movement: ${Math.max(...watch.gaps)} ms`)
}

test('400 blocks over the border on x and back', async () => {
  const server = await new Server().start()
  try { await walkOver(server, 'x', { reach: 67, crossings: 3 }) } finally { await server.stop() }
})

test('over the border on z', async () => {
  const server = await new Server().start({}, { toml: bordersOn('z') })
  try { await walkOver(server, 'z', { reach: 20, crossings: 4 }) } finally { await server.stop() }
})

test('digging and placing across the border', async t => {
  const server = new Server()
  t.after(() => server.stop())
  await server.start()
  const near = await new Client(server, 'near').join()
  const far = await new Client(server, 'far').join()
  await Promise.all([near.walkTo(-2.5, 4.5), far.walkTo(6.5, 6.5)])
  await sleep(500)
  const target = new Vec3(1, -61, 4)
  const seen = async (client, name) => {
    const start = performance.now()
    await until(`${client.name} sees ${name}`, () => client.bot.blockAt(target)?.name === name, 5000)
    return performance.now() - start
  }
  const [dug] = await Promise.all([seen(far, 'air'), near.bot.dig(near.bot.blockAt(target), true)])
  assert.ok(dug <= maxSeenMs, `dug block seen after ${dug} ms`)

  const Item = require('prismarine-item')(near.bot.registry)
  await near.bot.creative.setInventorySlot(36, new Item(near.bot.registry.itemsByName.stone.id, 8))
  near.bot.setQuickBarSlot(0)
  await sleep(200)
  const below = near.bot.blockAt(target.offset(0, -1, 0))
  await near.bot.lookAt(target.offset(0.5, 0, 0.5), true)
  const [placed] = await Promise.all([seen(far, 'stone'), near.bot._genericPlace(below, new Vec3(0, 1, 0), { forceLook: 'ignore' })])
  assert.ok(placed <= maxSeenMs, `placed block seen after ${placed} ms`)

  // A newcomer gets the owner's snapshot, the digger has its neighbour's replica: they agree.
  const late = await new Client(server, 'late').join()
  assert.equal(late.bot.blockAt(target).name, 'stone')
  assert.equal(near.bot.blockAt(target).name, 'stone')
  for (const client of [near, far, late]) assert.equal(client.kicked, null)
})

test('flying over hills', async () => {
  const server = await new Server().start({ 'level-type': 'normal', 'level-seed': '42' })
  try {
    const flyer = await new Client(server, 'flyer').join()
    flyer.bot.creative.startFlying()
    await flyer.bot.creative.flyTo(flyer.position.offset(0, 40, 0))
    await sleep(500)
    flyer.reset()
    for (const x of [-40, 40, -40]) await flyer.bot.creative.flyTo(new Vec3(x, flyer.position.y, 4))
    const { chunks, ...never } = flyer.count
    assert.deepEqual(never, { position: 0, respawn: 0, login: 0, start_configuration: 0, resent: 0 })
    assert.equal(flyer.missing(viewRadius - 2), 0)
    flyer.leave()
  } finally { await server.stop() }
})
