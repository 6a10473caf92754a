import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Duplex } from 'node:stream'
import { verifies } from '@svc/conformance/verifies'
import { type Limits, limits } from '@svc/contract/limits'
import { readLoopbackHost } from '@svc/node/public-fetch'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type EgressParts, openEgress } from './egress.ts'

const PUBLIC = '93.184.215.14'
const ASK = 'CONNECT api.example.org:443 HTTP/1.1\r\nhost: x\r\n\r\n'
const ANSWER = 'HTTP/1.1 200 Connection established\r\n\r\n'

let folder: string
let there: Server
/** The sockets that came to the host, and both ends of what the way out made. */
let hosts: Socket[]
let closes: (() => void)[]
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'svc-egress-'))
  hosts = []
  closes = []
  there = createServer((socket) => void hosts.push(socket.on('error', () => {})))
  await once(there.listen(0, '127.0.0.1'), 'listening')
})
afterEach(() => {
  for (const close of closes) close()
  there.close()
  rmSync(folder, { recursive: true })
})

/** A way out to a host on this machine, which any public address leads to. */
function open(more: Partial<EgressParts> & { readonly small?: Partial<Limits> } = {}) {
  const { port } = there.address() as { port: number }
  const socket = join(folder, 'egress.sock')
  const ways: { from?: Duplex; to?: Socket; signal?: AbortSignal; dialed: number } = { dialed: 0 }
  const { small, ...parts } = more
  const server = openEgress({
    socket,
    limits: { ...limits, ...small },
    allowLoopback: [],
    reach: { hosts: ['api.example.org'] },
    resolve: async () => [PUBLIC],
    dial({ signal }) {
      ways.dialed += 1
      ways.signal = signal
      ways.to = connect(port, '127.0.0.1')
      return ways.to
    },
    ...parts,
  })
  server.on('connect', (_request, from) => {
    ways.from = from
  })
  closes.push(() => server.close())
  /** Sends words as the plugin does. */
  function say(words: string) {
    const client = connect(socket).on('error', () => {})
    closes.push(() => client.destroy())
    client.write(words)
    return client
  }
  return { server, ways, say }
}
/** All that comes back until the end. */
async function all(client: Socket): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of client) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}
const closed = (socket: Socket) => new Promise<void>((done) => void socket.once('close', () => done()))
/** A connection through the way out. */
async function through(more?: Parameters<typeof open>[0]) {
  const at = open(more)
  const client = at.say(ASK)
  const [answer] = await once(client, 'data')
  expect(String(answer)).toBe(ANSWER)
  const { from, to } = at.ways
  if (!from || !to) throw new Error('nothing was connected')
  return { ...at, client, from, to }
}

describe('a connection through the way out', () => {
  it('carries what both say, and ends with the plugin', async () => {
    const { client } = await through()
    client.write('hello')
    await expect.poll(() => hosts.length).toBe(1)
    const [host] = hosts as [Socket]
    expect(String((await once(host, 'data'))[0])).toBe('hello')
    host.write('back')
    expect(String((await once(client, 'data'))[0])).toBe('back')
    client.destroy()
    await once(host, 'close')
  })

  it.each<[string, (at: Awaited<ReturnType<typeof through>>) => void]>([
    ['the host is gone', ({ to }) => void to.destroy()],
    ['the host breaks it', ({ to }) => void to.emit('error', new Error('ECONNRESET'))],
    ['the plugin breaks it', ({ from }) => void from.emit('error', new Error('EPIPE'))],
    ['the plugin is gone', ({ from }) => void from.destroy()],
  ])('is over at both ends where %s', async (_name, end) => {
    const at = await through()
    const over = Promise.all([closed(at.client), closed(at.to)])
    end(at)
    await over
    expect([at.from.destroyed, at.to.destroyed]).toEqual([true, true])
  })

  verifies('wall.plugin.bounds', 'is cut where nothing comes for a while', async () => {
    const { client, to } = await through({ small: { EGRESS_IDLE_MS: 20 } })
    await Promise.all([once(client, 'close'), once(to, 'close')])
  })
})

describe('what is not connected', () => {
  verifies('wall.plugin.bounds', 'in time is refused, and no name is asked for any longer', async () => {
    const { say, ways } = open({
      small: { EGRESS_CONNECT_MS: 20 },
      resolve: (_name, signal) =>
        new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
    })
    expect(await all(say(ASK))).toBe(
      'HTTP/1.1 403 Forbidden\r\ncontent-type: text/plain\r\n\r\napi.example.org has no address, or one that is not public\n',
    )
    expect(ways.dialed).toBe(0)
  })

  it('is refused in at most so many letters', async () => {
    const { say } = open()
    const long = `${'a'.repeat(400)}:443`
    const said = await all(say(`CONNECT ${long} HTTP/1.1\r\nhost: x\r\n\r\n`))
    expect(said.split('\r\n\r\n')[1]).toBe(`this plugin may not reach ${'a'.repeat(300)}\n`)
  })

  it('is told as text on a connection that ends, where it is no CONNECT', async () => {
    const { say } = open()
    const said = await all(say('GET http://api.example.org/ HTTP/1.1\r\nhost: x\r\n\r\n'))
    expect(said).toMatch(/^HTTP\/1\.1 405 /)
    expect(said.toLowerCase()).toContain('content-type: text/plain\r\nconnection: close\r\n')
    expect(said).toContain('only CONNECT is taken')
  })
})

describe('the timer of a connection', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
  afterEach(() => void vi.useRealTimers())

  it('is gone once it stands', async () => {
    const { ways } = await through()
    expect([vi.getTimerCount(), ways.signal?.aborted]).toEqual([0, false])
  })

  it('is gone with the plugin that asked', async () => {
    const asked = Promise.withResolvers<void>()
    const { say, ways } = open({
      resolve() {
        asked.resolve()
        return new Promise(() => {})
      },
    })
    say(ASK)
    await asked.promise
    expect(vi.getTimerCount()).toBe(1)
    const { from } = ways
    if (!from) throw new Error('nobody asked')
    from.destroy()
    await once(from, 'close')
    expect(vi.getTimerCount()).toBe(0)
  })
})

verifies(
  'wall.plugin.network',
  'a host of this machine that the runner names leads to this machine',
  async () => {
    const host = readLoopbackHost('api.example.org:443')
    const reached: string[] = []
    const { say } = open({
      allowLoopback: host ? [host] : [],
      resolve: () => expect.fail('no name is asked for'),
      dial({ addresses }) {
        reached.push(...addresses)
        return connect((there.address() as { port: number }).port, '127.0.0.1')
      },
    })
    expect(String((await once(say(ASK), 'data'))[0])).toBe(ANSWER)
    expect(reached).toEqual(['127.0.0.1'])
  },
)

verifies(
  'wall.plugin.bounds',
  'takes so many connections, and none where its socket cannot be made',
  async () => {
    expect(open().server.maxConnections).toBe(limits.EGRESS_CONNECTIONS_MAX)
    const nowhere = open({ socket: join(folder, 'no/such/folder') })
    // Without a listener of its own the error would end the runner.
    expect(nowhere.server.listenerCount('error')).toBe(1)
    const [error] = await once(nowhere.server, 'error')
    expect(error).toMatchObject({ syscall: 'listen' })
    expect(nowhere.server.listening).toBe(false)
  },
)
