// The server as its operator and its players meet it.
import assert from 'node:assert/strict'
import fs from 'node:fs'
import net from 'node:net'
import { test } from 'node:test'
import { isAlive, Server, sleep, until } from './server.mjs'
import { Client, mc } from './client.mjs'

/// Runs `body` with a server and stops it afterwards, and checks that it stops cleanly.
const withServer = (properties, body, options) => async () => {
  const server = await new Server().start(properties, options)
  try { await body(server) } finally {
    const result = await server.stop()
    assert.deepEqual(result, { code: 0, signal: null }, server.lines.slice(-5).join('\n'))
  }
}

test('server list, old and new', withServer({ motd: 'Two shards', 'max-players': 7 }, async server => {
  const answer = await mc.ping({ host: '127.0.0.1', port: server.port, version: '26.1' })
  assert.equal(answer.version.protocol, 775)
  assert.equal(answer.players.max, 7)
  const legacy = await new Promise((resolve, reject) => {
    const socket = net.connect(server.port, '127.0.0.1', () => socket.write(Buffer.from([0xfe, 0x01])))
    socket.once('data', resolve)
    socket.once('error', reject)
  })
  assert.equal(legacy[0], 0xff)
  const parts = legacy.subarray(3).swap16().toString('utf16le').split('\0')
  assert.deepEqual(parts, ['§1', '127', '26.1', 'Two shards', '0', '7'])
}))

for (const threshold of [-1, 0, 64, 256]) {
  test(`network-compression-threshold=${threshold}`, withServer({ 'network-compression-threshold': threshold }, async server => {
    const client = await new Client(server, 'packed').join()
    assert.equal(client.bot.blockAt(client.position.offset(0, -0.5, 0)).name, 'grass_block')
    assert.deepEqual(client.errors, [])
    client.leave()
  }))
}

test('console and chat in vanilla\'s words', withServer({}, async server => {
  const alice = await new Client(server, 'alice').join()
  const bob = await new Client(server, 'bob').join()
  const heard = []
  bob.bot.on('messagestr', m => heard.push(m))
  await server.logged('alice joined the game')
  server.command('list')
  await server.logged('There are 2 of a max of 100 players online: ')
  alice.bot.chat('good morning')
  await until('bob hears alice', () => heard.some(m => m.includes('good morning')))
  await server.logged('<alice> good morning')
  server.command('say hello all')
  await until('bob hears the console', () => heard.some(m => m.includes('hello all')))
  server.command('nonsense 1')
  await server.logged('Unknown or incomplete command, see below for error')
  await server.logged('nonsense<--[HERE]')
  server.command('tp alice 100 -60 40')
  await until('alice is there', () => Math.hypot(alice.position.x - 100.5, alice.position.z - 40.5) < 1)
  await server.logged('Teleported alice to')
  server.command('gamerule keep_inventory true')
  await server.logged('Gamerule minecraft:keep_inventory is now set to: true')
  server.command('tick query')
  await server.logged('Target tick rate: 20.0 per second')
  server.command('help')
  await server.logged('/gamerule <rule> [<value>]')
  alice.leave()
  await until('bob hears that alice left', () => heard.some(m => m.includes('alice left the game')))
  bob.leave()
}))

test('a killed shard starts again and its players walk on', withServer({}, async server => {
  const walker = await new Client(server, 'walker').join()
  await walker.walkTo(10, 4)
  const victim = server.shards()[1]
  process.kill(victim, 'SIGKILL')
  const killed = Date.now()
  await until('another process is shard 1', () => server.shards()[1] && server.shards()[1] !== victim, 5000)
  await until('the server puts the player where it stands', () => walker.count.position >= 2, 5000)
  await walker.walkTo(14, 4, 5)
  assert.ok(Date.now() - killed < 5000, `walked again after ${Date.now() - killed} ms`)
  assert.equal(walker.kicked, null)
  assert.equal(walker.count.respawn + walker.count.start_configuration, 0)
  walker.leave()
}))

test('no shard outlives a killed proxy', async () => {
  const server = await new Server().start()
  const shards = server.shards()
  assert.equal(shards.length, 2)
  server.child.kill('SIGKILL')
  await server.exited
  await until('the shards are gone', () => !shards.some(isAlive), 5000)
  fs.rmSync(server.dir, { recursive: true })
})

test('SIGTERM stops all', async () => {
  const server = await new Server().start()
  const shards = server.shards()
  server.child.kill('SIGTERM')
  assert.deepEqual(await server.exited, { code: 0, signal: null })
  assert.ok(!shards.some(isAlive))
  fs.rmSync(server.dir, { recursive: true })
})

test('online mode is refused, never silently offline', async () => {
  for (const online of ['true', null]) {
    const server = await new Server().start({ 'online-mode': online }, { expectExit: true })
    assert.notEqual((await server.exited).code, 0)
    assert.ok(server.has('online-mode=false'), server.lines.join('\n'))
    fs.rmSync(server.dir, { recursive: true })
  }
})

test('bytes that are not the protocol close the connection and nothing else', withServer({}, async server => {
  const varint = n => {
    const bytes = []
    for (; n > 127; n >>>= 7) bytes.push((n & 127) | 128)
    return Buffer.from([...bytes, n])
  }
  const framed = body => Buffer.concat([varint(body.length), body])
  const handshake = next => framed(Buffer.from([0, ...varint(775), 1, 0x78, 0x63, 0xdd, next]))
  const hello = framed(Buffer.concat([Buffer.from([0, 3]), Buffer.from('bad'), Buffer.alloc(16)]))
  const bad = {
    'a frame over 2^21-1 bytes': [Buffer.from([0x80, 0x80, 0x80, 0x01])],
    'an endless varint': [Buffer.from([0xff, 0xff, 0xff, 0xff, 0xff, 0xff])],
    'an empty frame': [Buffer.from([0])],
    'an unknown id': [handshake(1), framed(Buffer.from([0x7f]))],
    'a packet of another state': [handshake(2), framed(Buffer.from([0x03]))],
    'no such next state': [handshake(9)],
    'a compressed packet below the threshold': [handshake(2), hello, framed(Buffer.from([5, 0x78, 0x9c, 3, 0]))],
    'a packet that claims 9 MiB': [handshake(2), hello, framed(Buffer.concat([varint(9 << 20), Buffer.from([0x78, 0x9c, 3, 0])]))],
    'random bytes': [Buffer.from(Array.from({ length: 4096 }, (_, i) => (i * 7919) % 251))]
  }
  for (const [what, parts] of Object.entries(bad)) {
    const logged = server.lines.length
    await new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`${what}: still connected after 5 s`)), 5000)
      const socket = net.connect(server.port, '127.0.0.1', async () => {
        for (const part of parts) {
          socket.write(part)
          await sleep(30)
        }
      })
      socket.on('data', () => {})
      socket.on('error', () => {})
      socket.on('close', () => { clearTimeout(timer); resolve() })
    })
    await until(`a log line for ${what}`, () => server.lines.slice(logged).some(l => l.includes('is not the protocol')), 2000)
  }
  const client = await new Client(server, 'after').join()
  client.leave()
}))

test('50 idle players: what they cost', withServer({}, async server => {
  const pids = [server.child.pid, ...server.shards()]
  const ticks = () => pids.reduce((sum, pid) => {
    const f = fs.readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ')
    return sum + +f[11] + +f[12]
  }, 0)
  const rss = () => pids.reduce((sum, pid) => sum + +/VmRSS:\s+(\d+)/.exec(fs.readFileSync(`/proc/${pid}/status`, 'utf8'))[1], 0)
  const cpu = async seconds => {
    const before = ticks()
    await sleep(seconds * 1000)
    return (ticks() - before) / seconds // in percent: a clock tick is 10 ms
  }
  const emptyRss = rss() / 1024
  const empty = await cpu(5)
  const clients = []
  for (let i = 0; i < 50; i++) {
    const c = mc.createClient({ host: '127.0.0.1', port: server.port, username: `idle${i}`, version: '26.1', auth: 'offline', keepAlive: true })
    c.on('error', () => {})
    c.on('position', p => c.write('teleport_confirm', { teleportId: p.teleportId }))
    c.on('chunk_batch_finished', () => c.write('chunk_batch_received', { chunksPerTick: 20 }))
    clients.push(c)
    await new Promise((resolve, reject) => {
      c.once('map_chunk', resolve)
      c.once('end', reject)
    })
  }
  await sleep(6000)
  const idle = await cpu(10)
  console.log(`# without players: ${emptyRss.toFixed(1)} MiB RSS, ${empty.toFixed(1)} % CPU; with 50 idle: ${idle.toFixed(1)} % CPU, ${(rss() / 1024).toFixed(1)} MiB RSS`)
  if (process.env.HORIZON_MEASURE) {
    assert.ok(emptyRss < 60 && empty < 1 && idle < 5)
  }
  for (const c of clients) c.end()
}))
