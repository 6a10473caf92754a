import { createServer, type RequestListener, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { verifies } from '@svc/conformance/verifies'
import { limits } from '@svc/contract'
import { systemClock } from '@svc/node'
import { expect } from 'vitest'
import { failureOf } from '../failure-of.ts'
import { openaiEmbedding } from '../openai.ts'
import type { ByteReader } from './byte-reader.ts'
import { postChat } from './chat-request.ts'

const SAID = 'data: hé\n\n'.repeat(20)
const MANY = 1_000_000

/** A server on loopback, with what it was asked. */
async function serve(answer: RequestListener) {
  const asked: string[] = []
  const server = createServer(async (req, res) => {
    let body = ''
    for await (const chunk of req) body += chunk
    const { authorization, 'api-key': key } = req.headers
    asked.push(`${req.method} ${req.url} ${authorization} ${key === undefined ? '' : `${key} `}${body}`)
    answer(req, res)
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`)
  const close = async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  const bearer: Record<string, string> = { authorization: 'Bearer k' }
  const post = (signal?: AbortSignal, maxBytes = MANY, headers = bearer) =>
    postChat({
      url,
      headers,
      body: '{"a":1}',
      signal,
      model: 'm',
      maxBytes,
      clock: systemClock,
      secrets: ['k'],
    })
  return { asked, url, post, [Symbol.asyncDispose]: close }
}

async function textOf(reader: ByteReader): Promise<string> {
  const pieces: Uint8Array[] = []
  for (let piece = await reader.read(); piece !== null; piece = await reader.read()) pieces.push(piece)
  return Buffer.concat(pieces).toString()
}

const reasonOf = (work: PromiseLike<unknown>) =>
  work.then(
    () => 'none',
    (error) => failureOf('m', error).reason,
  )

const UPGRADE = 'HTTP/1.1 101 x\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n'
const coded = (coding: string, body: Buffer) => (res: ServerResponse) =>
  res.writeHead(200, { 'content-encoding': coding }).end(body)
const moved = (status: number) => (res: ServerResponse) =>
  res.req.url === '/v1' ? res.writeHead(status, { location: '/v2' }).end() : res.end(SAID)

verifies.each('design.models.environment')([
  ['as it is', (res: ServerResponse) => res.end(SAID), ['POST /v1']],
  ['in gzip', coded('gzip', gzipSync(SAID)), ['POST /v1']],
  ['in deflate', coded('deflate', deflateSync(SAID)), ['POST /v1']],
  ['in brotli', coded('br', brotliCompressSync(SAID)), ['POST /v1']],
  ['in two codings', coded('GZIP, br', brotliCompressSync(gzipSync(SAID))), ['POST /v1']],
  ['in one that is not known', coded('constructor', Buffer.from(SAID)), ['POST /v1']],
  ['elsewhere', moved(307), ['POST /v1', 'POST /v2']],
])('an answer %s is read', async (_name, answer, requests) => {
  await using server = await serve((_req, res) => void answer(res))
  expect(await textOf(await server.post())).toBe(SAID)
  expect(server.asked).toEqual(requests.map((one) => `${one} Bearer k {"a":1}`))
})

verifies.each('decision.model.failures')([
  ['a status that refuses', (res: ServerResponse) => res.writeHead(401).end('sk-secret'), 'closed'],
  [
    'a redirect to what refuses',
    (res: ServerResponse) => (res.req.url === '/v1' ? moved(308)(res) : res.writeHead(503).end()),
    'broken',
  ],
  ['a redirect without a place', (res: ServerResponse) => res.writeHead(302).end(), 'closed'],
  ['a redirect to itself', (res: ServerResponse) => res.writeHead(307, { location: '/v1' }).end(), 'cut'],
  [
    'a redirect to a file',
    (res: ServerResponse) => res.writeHead(307, { location: 'file:///x' }).end(),
    'cut',
  ],
  [
    'a redirect to no URL',
    (res: ServerResponse) => res.writeHead(307, { location: 'http://[' }).end(),
    'cut',
  ],
  ['an upgrade', (res: ServerResponse) => res.socket?.end(UPGRADE), 'cut'],
  [
    'six codings, and then a cut',
    (res: ServerResponse) => {
      res.writeHead(200, { 'content-encoding': 'br'.concat(', br'.repeat(5)) })
      res.write('no', () => res.destroy())
    },
    'cut',
  ],
  ['a connection that is cut before the head', (res: ServerResponse) => res.destroy(), 'cut'],
  ['one that is cut in the body', (res: ServerResponse) => void res.write(SAID, () => res.destroy()), 'cut'],
  ['a coding that is broken', coded('gzip', Buffer.from('no')), 'cut'],
  ['more than it may be', (res: ServerResponse) => res.end('x'.repeat(MANY + 1)), 'oversize'],
  ['more than it may be, in a coding', coded('gzip', gzipSync('x'.repeat(MANY + 1))), 'oversize'],
])('%s fails as with fetch', async (_name, answer, reason) => {
  await using server = await serve((_req, res) => void answer(res))
  expect(await reasonOf(server.post().then(textOf))).toBe(reason)
})

verifies.each('wall.model_keys')([
  [307, `POST /v1 undefined {"a":1}`],
  [302, 'GET /v1 undefined '],
])('a redirect %j to another origin has no key', async (status, asked) => {
  await using other = await serve((_req, res) => void res.end(SAID))
  await using server = await serve(
    (_req, res) => void res.writeHead(status, { location: other.url.href }).end(),
  )
  expect(await textOf(await server.post())).toBe(SAID)
  expect(other.asked).toEqual([asked])
})

verifies('wall.model_keys', 'nor one that is in the header of Azure', async () => {
  await using other = await serve((_req, res) => void res.end(SAID))
  await using server = await serve((_req, res) => void res.writeHead(307, { location: other.url.href }).end())
  expect(await textOf(await server.post(undefined, MANY, { 'api-key': 'k' }))).toBe(SAID)
  expect([server.asked, other.asked]).toEqual([
    ['POST /v1 undefined k {"a":1}'],
    ['POST /v1 undefined {"a":1}'],
  ])
})

verifies.each(['llm.embed', 'decision.model.failures'])([
  ['six codings, and then a cut', 'br, br, br, br, br, br', 'cut'],
  ['a vector', 'identity', 'none'],
])('vectors are asked for as text is: %s', async (_name, coding, reason) => {
  await using server = await serve((_req, res) => {
    res.writeHead(200, { 'content-encoding': coding })
    if (reason === 'none') res.end('{"data":[{"embedding":[1]}]}')
    else res.write('no', () => res.destroy())
  })
  const whose = { baseURL: server.url.href, apiKey: 'k', clock: systemClock, limits }
  expect(await reasonOf(openaiEmbedding(whose, 'e').doEmbed({ values: ['a'] }))).toBe(reason)
  expect(server.asked[0]).toContain('POST /v1/embeddings Bearer k {"model":"e"')
})

verifies('decision.model.failures', 'a server that is not there cannot be reached', async () => {
  const server = await serve(() => {})
  await server[Symbol.asyncDispose]()
  expect(await reasonOf(server.post())).toBe('unreachable')
})

verifies(
  'decision.model.failures',
  'of several kept connections that are dead, one fails a request',
  async () => {
    const waiting: ServerResponse[] = []
    const known = new Set<unknown>()
    await using server = await serve((req, res) => {
      if (known.has(req.socket)) return void res.destroy()
      known.add(req.socket)
      waiting.push(res)
      if (waiting.length >= 4) for (const one of waiting) one.end(SAID)
    })
    await Promise.all([1, 2, 3, 4].map(async () => textOf(await server.post())))
    expect(await reasonOf(server.post())).toBe('cut')
    expect(await server.post().then(textOf)).toBe(SAID)
  },
)

verifies('decision.model.left', 'a request that is given up is closed, wherever it stands', async () => {
  const gone: Promise<unknown>[] = []
  await using server = await serve((_req, res) => {
    gone.push(new Promise((resolve) => res.once('close', resolve)))
    if (gone.length > 1) res.write(SAID)
  })
  const early = new AbortController()
  const unanswered = reasonOf(server.post(early.signal))
  while (gone.length < 1) await new Promise(setImmediate)
  early.abort()
  expect(await unanswered).toBe('cut')
  const late = new AbortController()
  const reader = await server.post(late.signal)
  await reader.read()
  late.abort()
  expect(await reasonOf(reader.read())).toBe('cut')
  const left = await server.post()
  left.cancel()
  await Promise.all(gone)
  expect(await reasonOf(server.post(AbortSignal.abort()))).toBe('cut')
})

verifies(
  'decision.model.left',
  'the connection of an answer that was read to its end is used again',
  async () => {
    const ports = new Set<number | undefined>()
    await using server = await serve((req, res) => {
      ports.add(req.socket.remotePort)
      res.end(SAID)
    })
    for (let at = 0; at < 3; at += 1) {
      const over = new AbortController()
      const reader = await server.post(over.signal)
      await textOf(reader)
      over.abort('complete')
      reader.cancel()
    }
    expect(ports.size).toBe(1)
  },
)
