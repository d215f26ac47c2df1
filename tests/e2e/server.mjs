// Starts a real proxy, which starts real shards, in a folder of its own, and ends them whatever happens.
import { spawn } from 'node:child_process'
import fs from 'node:fs'
import net from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const project = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..')
const binary = process.env.HORIZON_PROXY ?? path.join(project, 'build/release/bin/horizon-proxy')

const running = new Set()
process.once('exit', () => { for (const child of running) child.kill('SIGKILL') })

export const sleep = ms => new Promise(resolve => setTimeout(resolve, ms))

/// Resolves when `condition` holds; rejects with `what` after `ms`.
export async function until (what, condition, ms = 10000) {
  const end = Date.now() + ms
  for (;;) {
    const value = await condition()
    if (value) return value
    if (Date.now() > end) throw new Error(`not within ${ms} ms: ${what}`)
    await sleep(10)
  }
}

export function freePort () {
  return new Promise((resolve, reject) => {
    const server = net.createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address()
      server.close(() => resolve(port))
    })
  })
}

/// Two areas with their border at 0 on `axis`.
export const bordersOn = axis => `
[[director.area]]
shard = 0
max_${axis} = -1
[[director.area]]
shard = 1
min_${axis} = 0
`

export function isAlive (pid) {
  try {
    return !/^\d+ \(.*\) Z/.test(fs.readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch { return false }
}

export class Server {
  static shardBinary = path.join(path.dirname(binary), 'horizon-shard')

  constructor () { this.lines = [] }

  /// `properties` go over flat, creative, offline ones; `toml` is horizon.toml.
  async start (properties = {}, { toml = bordersOn('x'), shards = 2, expectExit = false } = {}) {
    this.port = await freePort()
    this.dir = fs.mkdtempSync(path.join(os.tmpdir(), 'horizon-e2e-'))
    const all = {
      'online-mode': 'false', 'server-port': this.port, 'server-ip': '127.0.0.1', 'level-type': 'flat',
      'level-seed': '12345', gamemode: 'creative', 'max-players': 100, ...properties
    }
    fs.writeFileSync(path.join(this.dir, 'server.properties'),
      Object.entries(all).filter(([, v]) => v !== null).map(([k, v]) => `${k}=${v}\n`).join(''))
    fs.writeFileSync(path.join(this.dir, 'horizon.toml'), toml)
    this.child = spawn(binary, ['--dir', this.dir, '--shards', String(shards)], { stdio: ['pipe', 'pipe', 'pipe'] })
    this.exited = new Promise(resolve => this.child.once('exit', (code, signal) => resolve({ code, signal })))
    let rest = ''
    const take = data => {
      const lines = (rest + data).split('\n')
      rest = lines.pop()
      this.lines.push(...lines)
    }
    this.child.stdout.on('data', take)
    this.child.stderr.on('data', take)
    running.add(this.child)
    this.child.once('exit', () => running.delete(this.child))
    if (expectExit) return this
    await until('the line "Done ("', () => this.has('Done (') || this.child.exitCode !== null, 30000)
    if (!this.has('Done (')) throw new Error('the server ended at once:\n' + this.lines.join('\n'))
    return this
  }

  has (text) { return this.lines.some(line => line.includes(text)) }
  logged (text, ms) { return until(`the log line "${text}"`, () => this.has(text), ms) }
  command (line) { this.child.stdin.write(line + '\n') }

  /// Process ids of the shards by number.
  shards () {
    const pids = []
    for (const entry of fs.readdirSync('/proc')) {
      if (!/^\d+$/.test(entry)) continue
      try {
        const words = fs.readFileSync(`/proc/${entry}/cmdline`, 'utf8').split('\0')
        const parent = +fs.readFileSync(`/proc/${entry}/stat`, 'utf8').split(') ')[1].split(' ')[1]
        if (parent === this.child.pid && words[0].endsWith('horizon-shard')) pids[+words[words.indexOf('--id') + 1]] = +entry
      } catch {}
    }
    return pids
  }

  async stop () {
    if (this.child.exitCode === null && this.child.signalCode === null) this.command('stop')
    const kill = setTimeout(() => this.child.kill('SIGKILL'), 15000)
    const result = await this.exited
    clearTimeout(kill)
    fs.rmSync(this.dir, { recursive: true, force: true })
    return result
  }
}
