import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Duplex } from 'node:stream'
import { verifies } from '@svc/conformance/verifies'
import { type Limits, limits } from '@svc/contract/limits'
import { readLoopbackHost } from '@svc/node/public-fetch'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { openEgress, type ReachRoute, routeByReach } from './egress.ts'
import { linkAt } from './paths.ts'

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
function open(
  more: Partial<ReachRoute> & { readonly small?: Partial<Limits>; readonly socket?: string } = {},
) {
  const { port } = there.address() as { port: number }
  const ways: { from?: Duplex; to?: Socket; signal?: AbortSignal; dialed: number } = { dialed: 0 }
  const { small, socket = join(folder, 'egress.sock'), ...parts } = more
  const server = openEgress({
    socket,
    limits: { ...limits, ...small },
    route: routeByReach({
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
    }),
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

it('what is refused gives its place back, though it keeps its own end open', async () => {
  const { server } = open({ small: { EGRESS_CONNECTIONS_MAX: 1 } })
  const ask = () => {
    const client = connect({ path: join(folder, 'egress.sock'), allowHalfOpen: true }).on('error', () => {})
    closes.push(() => client.destroy())
    client.write(ASK.replace('api.', 'other.'))
    return all(client)
  }
  for (let at = 0; at < 3; at++) {
    expect(await ask()).toMatch(
      /^HTTP\/1\.1 403 Forbidden[\s\S]*may not reach other\.example\.org:443; [^\n]*\n$/,
    )
    const count = () => new Promise((resolve) => server.getConnections((_error, many) => resolve(many)))
    await expect.poll(count).toBe(0)
  }
})

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
      'HTTP/1.1 403 Forbidden\r\ncontent-type: text/plain\r\n\r\napi.example.org was not looked up in time\n',
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

verifies(
  'wall.plugin.bounds',
  'what is looked up for a plugin that is gone is looked up no longer, and leads nowhere',
  async () => {
    const found = Promise.withResolvers<string[]>()
    const asked = Promise.withResolvers<AbortSignal>()
    const { say, ways } = open({
      resolve(_name, signal) {
        asked.resolve(signal)
        return found.promise
      },
    })
    say(ASK)
    const signal = await asked.promise
    ways.from?.destroy()
    await expect.poll(() => signal.aborted).toBe(true)
    found.resolve([PUBLIC])
    await expect.poll(() => ways.to?.destroyed).toBe(true)
  },
)

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

describe('the socket of a way out', () => {
  const deep = () => {
    const place = join(folder, ...Array.from({ length: 8 }, (_, n) => `${n}-${'deep'.repeat(5)}`))
    mkdirSync(place, { recursive: true })
    return join(place, 'egress.sock')
  }
  /** Folders of this test that are open. */
  const fds = () =>
    readdirSync('/proc/self/fd').filter((fd) => linkAt(`/proc/self/fd/${fd}`)?.startsWith(folder)).length

  it('may have a path longer than the kernel takes, and keeps nothing open', async () => {
    const socket = deep()
    expect(socket.length).toBeGreaterThan(107)
    const before = fds()
    const { server } = open({ socket })
    await once(server, 'listening')
    // As from inside, where it is mounted at a short path.
    symlinkSync(socket, join(folder, 'short'))
    const client = connect(join(folder, 'short')).on('error', () => {})
    client.write(ASK.replace('api.', 'other.'))
    expect(await all(client)).toContain('may not reach')
    server.close()
    await once(server, 'close')
    expect([existsSync(socket), fds()]).toEqual([false, before])
  })

  it('that cannot be made is told as an error, whatever its length', async () => {
    const before = fds()
    const { server } = open({ socket: join(dirname(deep()), 'none', 'egress.sock') })
    const [error] = await once(server, 'error')
    expect(error).toMatchObject({ code: 'ENOENT' })
    expect(fds()).toBe(before)
  })
})
