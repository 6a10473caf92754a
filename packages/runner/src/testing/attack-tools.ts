import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import net from 'node:net'

/** What an attack is told of the host. */
export interface Scene {
  readonly runner: number
  readonly secret: string
  readonly file: string
  readonly home: string
  readonly other: string
  /** A file in the state folder of the machine. */
  readonly state: string
  readonly install: string
  readonly port: number
  readonly udp: number
  readonly socket: string
  readonly abstract: string
  readonly agreed: string
}
/** One attack; it answers what it got, and nothing or `null` where it got nothing. */
export type Attack = (scene: Scene) => unknown

export const read = (path: string) => fs.readFileSync(path, 'latin1').slice(0, 200)
export const write = (path: string, text: string | Buffer = 'x') => {
  fs.writeFileSync(path, text)
  return `wrote ${path}`
}
export const list = (path: string) => fs.readdirSync(path).join(' ')
export const own = process.env.TMPDIR ?? ''
/** What a program of the system did, where it ended well. */
export const run = (program: string, ...args: string[]) => {
  const { status, stdout } = spawnSync(program, args, { encoding: 'utf8', timeout: 5_000 })
  return status === 0 ? stdout || 'done' : null
}
export const perl = (script: string) => run('perl', '-e', script)
/** What a server says, or that it takes connections. */
export const dial = (to: net.NetConnectOpts) =>
  new Promise((resolve) => {
    const socket = net.connect(to)
    socket.setTimeout(2_000, () => resolve(null))
    socket.on('connect', () => resolve('connected'))
    socket.on('error', () => resolve(null))
  })
/** The pids that can be seen beside those of this process's own walls. */
export const strangers = (known: number) =>
  list('/proc')
    .split(' ')
    .filter((name) => /^\d+$/.test(name) && Number(name) > known)
export const proxied = (authority: string) =>
  new Promise((resolve) => {
    const socket = net.connect(3_128, '127.0.0.1', () =>
      socket.write(`CONNECT ${authority} HTTP/1.1\r\n\r\n`),
    )
    socket.on('data', (bytes) => resolve(/^HTTP\/1\.1 200/.test(String(bytes)) ? String(bytes) : null))
    socket.on('error', () => resolve(null))
    socket.on('close', () => resolve(null))
  })
