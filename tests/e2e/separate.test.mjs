// Proxy and shards started one by one, as compose and systemd do, finding each other through horizon.toml.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { bordersOn, freePort, Server, until } from './server.mjs'
import { Client } from './client.mjs'

test('three processes with addresses from horizon.toml', async t => {
  const director = await freePort()
  const shards = [0, 1].map(id => {
    const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'horizon-shard-'))
    fs.writeFileSync(path.join(dir, 'horizon.toml'),
      `[shard]\nid = ${id}\nlisten = "127.0.0.1:0"\ndirector = "127.0.0.1:${director}"\n`)
    const child = spawn(Server.shardBinary, ['--dir', dir], { stdio: 'ignore' })
    t.after(() => {
      child.kill('SIGKILL')
      fs.rmSync(dir, { recursive: true })
    })
    return child
  })
  const server = new Server()
  t.after(() => server.stop())
  await server.start({}, { toml: `${bordersOn('x')}\n[proxy]\nspawn_shards = false\n[director]\nlisten = "127.0.0.1:${director}"\n` })
  assert.deepEqual(server.shards(), [], 'the proxy started none itself')
  const walker = await new Client(server, 'walker').join()
  await walker.walkTo(-8, 4)
  walker.reset()
  await walker.walkTo(8, 4)
  assert.equal(walker.count.position, 0)
  shards[0].kill('SIGTERM')
  await until('a shard stops when it is told to', () => shards[0].exitCode === 0)
  assert.equal(walker.kicked, null)
  walker.leave()
})
