import { once } from 'node:events'
import { createServer, request } from 'node:http'
import { type AddressInfo, connect, createServer as createRelay, type Socket } from 'node:net'
import { systemClock } from '@svc/node'
import { afterEach, describe, expect, it } from 'vitest'
import type { Directory, PeerAddress } from './directory.ts'
import { header } from './headers.ts'
import { openPeers } from './peers.ts'
import { digestOf, openSignatures } from './signature.ts'

const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

const rows = new Map<string, PeerAddress>()
const directory: Directory = {
  put: async (id, address) => void rows.set(id, address),
  get: async (id) => rows.get(id) ?? null,
  forget: () => {},
  take: async (id) => void rows.delete(id),
  sweep: async () => {},
}
/** A busy machine may keep a host from its sign for half a second; only a test of silence is in a hurry. */
const PATIENT_MS = 30_000
async function peers(secret = 'shared', { silentMs = PATIENT_MS, headersMs = PATIENT_MS } = {}) {
  const signs = { aliveMs: 100, silentMs, connectMs: PATIENT_MS, headersMs }
  const opened = await openPeers({ directory, secret, clock: systemClock, signs })
  closers.push(() => opened.close())
  return opened
}
const soon = (ms = 5_000) => ({ deadline: systemClock.now() + ms })

describe('questions from host to host', () => {
  it('are answered, with the time that their asker waits', async () => {
    const [a, b] = [await peers(), await peers()]
    const told: number[] = []
    await b.answer('b', 'echo', async (body, { deadline }) => {
      told.push(deadline - systemClock.now())
      return `[${body}]`
    })
    expect(await a.ask('b', 'echo', '"\\ud800 é"', soon())).toBe('["\\ud800 é"]')
    expect(told[0]).toBeGreaterThan(3_000)
    expect(told[0]).toBeLessThanOrEqual(5_000)
  })

  it('of many askers at once each get their own answer', async () => {
    const [a, b] = [await peers(), await peers()]
    await b.answer('b', 'echo', async (body) => body)
    const bodies = Array.from({ length: 200 }, (_, n) => `${n}`)
    expect(await Promise.all(bodies.map((body) => a.ask('b', 'echo', body, soon(PATIENT_MS))))).toEqual(
      bodies,
    )
  })

  it('fail with what the other host says', async () => {
    const [a, b] = [await peers(), await peers()]
    await b.answer('b', 'broken', async () => {
      throw new Error('out of paper')
    })
    await expect(a.ask('b', 'broken', '1', soon())).rejects.toMatchObject({
      code: 'failed',
      message: 'broken to b failed: out of paper',
    })
    await expect(a.ask('b', 'other', '1', soon())).rejects.toMatchObject({ code: 'no_host' })
  })

  it('tell the answerer when the asker waits no more', async () => {
    const [a, b] = [await peers(), await peers()]
    const asked = Promise.withResolvers<AbortSignal>()
    await b.answer('b', 'slow', (_, { signal }) => {
      asked.resolve(signal)
      return new Promise(() => {})
    })
    const stop = new AbortController()
    const failure = a
      .ask('b', 'slow', '1', { ...soon(), signal: stop.signal })
      .catch((error: unknown) => error)
    const signal = await asked.promise
    stop.abort('enough')
    expect(await failure).toMatchObject({ code: 'aborted', cause: 'enough' })
    await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()))
  })

  it('fail where the host ends while it answers, and with no_host at once after it', async () => {
    const [a, b] = [await peers(), await peers()]
    const asked = Promise.withResolvers<void>()
    await b.answer('b', 'slow', () => {
      asked.resolve()
      return new Promise(() => {})
    })
    const failure = a.ask('b', 'slow', '1', soon()).catch((error: unknown) => error)
    await asked.promise
    await b.close()
    expect(await failure).toMatchObject({ code: 'failed' })
    await expect(a.ask('b', 'slow', '1', soon())).rejects.toMatchObject({ code: 'no_host' })
  })

  it('are asked again over a new connection where one that was kept has ended, as others may have', async () => {
    const [a, b] = [await peers(), await peers()]
    await b.answer('b', 'echo', async (body) => body)
    const there = rows.get('b') as PeerAddress
    const open = new Set<Socket>()
    let ended: ReadonlySet<Socket> = new Set()
    const relay = createRelay((near) => {
      const far = connect(Number(new URL(there.url).port), '127.0.0.1')
      open.add(near)
      near.on('data', (bytes) => (ended.has(near) ? near.resetAndDestroy() : far.write(bytes)))
      near.on('error', () => {}).on('close', () => far.destroy())
      far.pipe(near)
    })
    await new Promise<void>((resolve) => relay.listen(0, '127.0.0.1', resolve))
    closers.push(async () => void relay.close())
    rows.set('b', { ...there, url: `http://127.0.0.1:${(relay.address() as AddressInfo).port}` })
    const bodies = ['1', '2', '3']
    expect(await Promise.all(bodies.map((body) => a.ask('b', 'echo', body, soon())))).toEqual(bodies)
    expect(open.size).toBe(3)
    ended = new Set(open)
    expect(await a.ask('b', 'echo', '4', soon())).toBe('4')
  })

  it('are refused by another life of the address, and by hosts with another secret', async () => {
    const [a, b, c] = [await peers(), await peers(), await peers('other')]
    await b.answer('b', 'echo', async (body) => body)
    await c.answer('c', 'echo', async (body) => body)
    await expect(a.ask('c', 'echo', '1', soon())).rejects.toMatchObject({
      code: 'no_host',
      message: 'who answered for c is not a host with our secret',
    })
    const there = rows.get('b') as PeerAddress
    rows.set('b', { ...there, life: 'before' })
    await expect(a.ask('b', 'echo', '1', soon())).rejects.toMatchObject({ code: 'no_host' })
    const long = '1'.repeat(8 * 1024 ** 2)
    await expect(a.ask('b', 'echo', long, soon())).rejects.toMatchObject({ code: 'no_host' })
  })
})

describe('the row of a host', () => {
  it('is put by the next try where the first failed, and only then others are answered', async () => {
    const [a, b] = [await peers(), await peers()]
    const { put } = directory
    directory.put = async () => {
      throw new Error('away')
    }
    const failed = await Promise.allSettled([
      b.answer('b', 'echo', async (body) => body),
      b.answer('b', 'other', async (body) => body),
    ])
    expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    directory.put = put
    await b.answer('b', 'echo', async (body) => body)
    expect(await a.ask('b', 'echo', '1', soon())).toBe('1')
  })

  it('is there again after it was lost, for as long as the host answers', async () => {
    const b = await peers()
    const stop = await b.answer('b', 'echo', async (body) => body)
    rows.delete('b')
    await b.upkeep()
    expect(rows.has('b')).toBe(true)
    stop()
    rows.delete('b')
    await b.upkeep()
    expect(rows.has('b')).toBe(false)
  })
})

describe('who listens to hosts', () => {
  /** Posts to the address of a host as whoever can reach it. */
  function post(url: string, headers: Record<string, string>, body: string): Promise<[number, string]> {
    return new Promise((resolve, reject) => {
      const req = request(url, { method: 'POST', headers }, (res) => {
        let text = ''
        res.on('data', (part) => (text += part)).on('end', () => resolve([res.statusCode ?? 0, text]))
      })
      req.on('error', reject).end(body)
    })
  }
  async function question(changes: Record<string, string> = {}, body = '1', signed = '1') {
    const b = await peers()
    await b.answer('b', 'echo', async (text) => text)
    const { url, life } = rows.get('b') as PeerAddress
    const at = Number(changes[header.at] ?? systemClock.now())
    const asked = { hostId: 'b', life, kind: 'echo', waitMs: 1_000, at, nonce: 'n', digest: digestOf(signed) }
    const headers = {
      [header.host]: 'b',
      [header.life]: life,
      [header.kind]: 'echo',
      [header.wait]: '1000',
      [header.at]: String(at),
      [header.nonce]: 'n',
      [header.digest]: asked.digest,
      [header.signature]: openSignatures('shared').question(asked),
      ...changes,
    }
    return { first: await post(url, headers, body), again: () => post(url, headers, body) }
  }

  it('answers a question once', async () => {
    const { first, again } = await question()
    expect(first).toEqual([200, '1'])
    expect(await again()).toEqual([403, 'the question was asked before'])
  })

  it.each([
    ['no signature', { [header.signature]: '' }, '1'],
    ['another host in it', { [header.host]: 'c' }, '1'],
    ['another kind in it', { [header.kind]: 'other' }, '1'],
    ['more time in it', { [header.wait]: '9999' }, '1'],
    ['another nonce in it', { [header.nonce]: 'm' }, '1'],
    ['the digest of another body in it', { [header.digest]: digestOf('2') }, '2'],
  ])('refuses one with %s', async (_, changes, body) => {
    const { first } = await question(changes, body)
    expect(first).toEqual([403, 'the signature is wrong: have all hosts the same secret?'])
  })

  it('refuses one with another body', async () => {
    const { first } = await question({}, '2')
    expect(first).toEqual([403, 'the body is another one'])
  })

  it('refuses a stranger before it has read the body', async () => {
    const b = await peers()
    await b.answer('b', 'echo', async (text) => text)
    const { url, life } = rows.get('b') as PeerAddress
    const { promise, resolve, reject } = Promise.withResolvers<[number, string | undefined]>()
    const headers = { [header.host]: 'b', [header.life]: life, 'content-length': 64 * 1024 ** 2 }
    const req = request(url, { method: 'POST', headers }, (res) => {
      res.resume().on('end', () => resolve([res.statusCode ?? 0, res.headers.connection]))
    })
    req.on('error', reject).write('{')
    expect(await promise).toEqual([403, 'close'])
    req.destroy()
  })

  it('ends the connection of who sends nothing, no headers in time, or endless ones', async () => {
    const b = await peers('shared', { headersMs: 100 })
    await b.answer('b', 'echo', async (text) => text)
    const { port } = new URL((rows.get('b') as PeerAddress).url)
    const begin = 'POST / HTTP/1.1\r\n'
    const closed = ['', begin, `${begin}x: ${'x'.repeat(5_000)}`].map((sent) => {
      const socket = connect(Number(port), '127.0.0.1')
      socket.resume().write(sent)
      return once(socket, 'close')
    })
    await Promise.all(closed)
  })

  it('refuses an old one', async () => {
    const { first } = await question({ [header.at]: String(systemClock.now() - 90_000) })
    expect(first).toEqual([403, 'the clocks of the two hosts differ by 90 s'])
  })
})
it('a host that takes a question and says nothing more is gone', async () => {
  const silent = createServer(() => {})
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
  closers.push(async () => {
    silent.closeAllConnections()
    silent.close()
  })
  rows.set('s', { url: `http://127.0.0.1:${(silent.address() as AddressInfo).port}`, life: 'x' })
  const a = await peers('shared', { silentMs: 500 })
  await expect(a.ask('s', 'echo', '1', soon(PATIENT_MS))).rejects.toMatchObject({
    code: 'failed',
    message:
      'echo to s: the host is gone (no sign of life in 500 ms), it is not known whether it was answered',
  })
})

it('an answer that takes long is waited for, because the host says that it is there', async () => {
  const silentMs = 2_000
  const [a, b] = [await peers('shared', { silentMs }), await peers()]
  await b.answer('b', 'slow', async (body) => {
    await new Promise((resolve) => setTimeout(resolve, silentMs + 500))
    return body
  })
  expect(await a.ask('b', 'slow', '1', soon(PATIENT_MS))).toBe('1')
})
