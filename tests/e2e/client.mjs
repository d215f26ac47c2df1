// A mineflayer client that counts what must not happen to it.
import { createRequire } from 'node:module'
import { sleep, until } from './server.mjs'
const require = createRequire(import.meta.url)
export const mineflayer = require('mineflayer')
export const mc = require('minecraft-protocol')
export const { Vec3 } = require('vec3')

const movements = ['rel_entity_move', 'entity_move_look', 'sync_entity_position', 'entity_teleport']

export class Client {
  constructor (server, name) {
    Object.assign(this, { server, name, errors: [], kicked: null, held: new Set() })
    this.reset()
  }

  reset () { this.count = { position: 0, respawn: 0, login: 0, start_configuration: 0, resent: 0, chunks: 0 } }

  async join () {
    const bot = this.bot = mineflayer.createBot({
      host: '127.0.0.1', port: this.server.port, username: this.name, version: '26.1', auth: 'offline',
      checkTimeoutInterval: 60000
    })
    bot.on('error', e => this.errors.push(String(e.message ?? e)))
    bot.on('kicked', r => { this.kicked = JSON.stringify(r) })
    bot.on('end', () => { this.ended = true })
    const c = bot._client
    for (const name of ['position', 'respawn', 'login', 'start_configuration']) c.on(name, () => this.count[name]++)
    c.on('map_chunk', p => {
      const key = `${p.x},${p.z}`
      this.count.chunks++
      if (this.held.has(key)) this.count.resent++
      this.held.add(key)
    })
    c.on('unload_chunk', p => this.held.delete(`${p.chunkX},${p.chunkZ}`))
    let spawned = false
    bot.once('spawn', () => { spawned = true })
    await until(`${this.name} spawns`, () => spawned || this.kicked || this.ended, 30000)
    if (!spawned) throw new Error(`${this.name} was not let in: ${this.kicked ?? this.errors}`)
    await bot.waitForChunksToLoad()
    return this
  }

  get position () { return this.bot.entity.position }

  /// Columns within `radius` of the client that it does not hold.
  missing (radius) {
    const cx = Math.floor(this.position.x / 16)
    const cz = Math.floor(this.position.z / 16)
    let n = 0
    for (let x = -radius; x <= radius; x++) for (let z = -radius; z <= radius; z++) n += !this.held.has(`${cx + x},${cz + z}`)
    return n
  }

  /// Follows what this client is told of the entity.
  watch (id) {
    const w = { updates: 0, gaps: [], spawns: 0, removals: 0, last: 0, active: false }
    const c = this.bot._client
    for (const name of movements) {
      c.on(name, p => {
        if (p.entityId !== id) return
        const now = performance.now()
        if (w.active && w.last) w.gaps.push(now - w.last)
        w.last = now
        w.updates++
      })
    }
    c.on('spawn_entity', p => { w.spawns += p.entityId === id })
    c.on('entity_destroy', p => { w.removals += p.entityIds.includes(id) })
    return w
  }

  /// Walks with the client's own physics.
  async walkTo (x, z, seconds = 120) {
    const end = Date.now() + seconds * 1000
    this.bot.setControlState('forward', true)
    try {
      for (;;) {
        const dx = x - this.position.x
        const dz = z - this.position.z
        if (Math.hypot(dx, dz) < 0.6) return
        if (Date.now() > end || this.ended) throw new Error(`${this.name} did not reach ${x} ${z}: is at ${this.position}; ${this.kicked}`)
        await this.bot.lookAt(new Vec3(x, this.position.y + 1.6, z), true)
        this.bot.setControlState('jump', this.bot.entity.isCollidedHorizontally ?? false)
        await sleep(50)
      }
    } finally { this.bot.clearControlStates() }
  }

  leave () { this.bot.quit() }
}
