import { once } from 'node:events'
import { createServer as createHttp } from 'node:http'
import { createServer as createHttps } from 'node:https'
import { type AddressInfo, createServer as createTcp, type Server } from 'node:net'
import { selfSigned } from '@svc/conformance/testing/certificate'
import { verifies } from '@svc/conformance/verifies'
import { limits } from '@svc/contract'
import { systemClock } from '@svc/node'
import { expect } from 'vitest'
import { failureOf } from './failure-of.ts'
import { openaiModel } from './openai.ts'

const KEY = 'sk-secret-9'
const prompt = [{ role: 'user' as const, content: [{ type: 'text' as const, text: 'hi' }] }]

/** What a model tells whose server is at an address. */
const failureAt = (baseURL: string) =>
  openaiModel({ baseURL, apiKey: KEY, clock: systemClock, limits }, 'm')
    .doGenerate({ prompt })
    .then(
      () => expect.unreachable(),
      (error) => failureOf('m', error),
    )

async function portOf(server: Server) {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}
const ofHttp = () => createHttp((_req, res) => void res.end())
const ofHttps = () => createHttps(selfSigned(['localhost'], [[127, 0, 0, 1]]), (_req, res) => void res.end())
const saying = (text: string) => createTcp((socket) => void socket.on('error', () => {}).end(text))
const resetting = () => createTcp((socket) => void socket.once('data', () => socket.resetAndDestroy()))

verifies.each(['decision.model.failures', 'wall.model_keys'])([
  ['https at a port of http', ofHttp, 'https', 'unreachable', false, /does not speak TLS/],
  ['http at a port of https', ofHttps, 'http', 'cut', true, /needs https:\/\//],
  ['a certificate that nobody signed', ofHttps, 'https', 'unreachable', false, /NODE_EXTRA_CA_CERTS/],
  [
    'something that is not HTTP',
    () => saying('SSH-2.0-x\r\n'),
    'http',
    'malformed',
    false,
    /other than HTTP/,
  ],
  ['a connection that is reset', resetting, 'http', 'cut', true, /closes connections/],
] as const)('%s', async (_name, make, protocol, reason, retriable, fix) => {
  const server = make()
  const failure = await failureAt(`${protocol}://127.0.0.1:${await portOf(server)}/v1?key=${KEY}`)
  expect(failure).toMatchObject({ reason, retriable })
  expect(failure.note.fix).toMatch(fix)
  expect(failure.note.address).toMatch(/^https?:\/\/127\.0\.0\.1:\d+\/v1\/chat\/completions\?key=…$/)
  expect(JSON.stringify([failure.note, failure.details, failure.message])).not.toContain(KEY)
  server.close()
})

verifies('decision.model.failures', 'a port where nobody listens, and a name that is not known', async () => {
  const server = ofHttp()
  const port = await portOf(server)
  await new Promise((resolve) => server.close(resolve))
  const refused = await failureAt(`http://127.0.0.1:${port}`)
  expect(refused).toMatchObject({ reason: 'unreachable', note: { cause: 'ECONNREFUSED' } })
  expect(refused.note.fix).toContain('No server listens there')
  const unknown = await failureAt('http://model.invalid/v1')
  expect(unknown.reason).toBe('unreachable')
  expect(unknown.note.fix).toContain('is not known')
})
