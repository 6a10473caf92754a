import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { verifies } from '@svc/conformance/verifies'
import { createHost } from '@svc/host'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, onTestFinished } from 'vitest'
import { checkPort } from '../terminal/port.ts'
import { connect } from './sign-in.ts'
import { ownStartToken } from './start-token.ts'

let env: { readonly XDG_STATE_HOME: string }
beforeEach(() => {
  env = { XDG_STATE_HOME: mkdtempSync(path.join(tmpdir(), 'svc-state-')) }
})
afterEach(() => rmSync(env.XDG_STATE_HOME, { recursive: true }))

async function openHost() {
  const port = await checkPort(0)
  const startToken = await ownStartToken(port, env)
  const host = createHost({ harness: true, startToken, runner: null, logger: pino({ level: 'silent' }) })
  onTestFinished(() => host.close())
  return { ...(await host.listen(port)), startToken }
}

/** What another program says that took the port of a host which is stopped; returns all that it was sent. */
async function openStranger(port: number, answer: RequestListener) {
  const sent: string[] = []
  const server = createServer(async (request, response) => {
    sent.push(request.rawHeaders.join('\n'), Buffer.concat(await request.toArray()).toString())
    answer(request, response)
  })
  onTestFinished(() => void server.close())
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const own = (server.address() as AddressInfo).port
  return { sent, url: `http://127.0.0.1:${own}` }
}

verifies(
  'wall.dev_login.token',
  'signs in to the host of the user, to which the token is not sent',
  async () => {
    const { url } = await openHost()
    const client = await connect({ host: url, user: 'ada' }, env)
    expect(await client.ask('GET /api/v1/auth/whoami')).toEqual({ user_id: 'ada' })
  },
)

const json =
  (body: object): RequestListener =>
  (_, response) =>
    void response.end(JSON.stringify(body))

verifies.each('wall.dev_login.token')([
  ['signs everybody in', json({ user_id: 'ada' })],
  ['makes up a proof', json({ nonce: `1-${'a'.repeat(43)}`, proof: 'b'.repeat(43) })],
  ['says numbers', json({ nonce: 1, proof: 2 })],
  ['says nothing', (_, response) => void response.end()],
  ['refuses', (_, response) => void response.writeHead(401).end('{}')],
] as [string, RequestListener][])(
  'who took the port of a host and %s is sent neither the token nor a proof of it',
  async (_, answer) => {
    const port = await checkPort(0)
    const token = await ownStartToken(port, env)
    const { sent, url } = await openStranger(port, answer)
    await expect(connect({ host: url, user: 'ada' }, env)).rejects.toThrow()
    expect(sent.join('\n')).not.toContain(token)
    expect(sent.join('\n').toLowerCase()).not.toContain('authorization')
  },
)

verifies(
  'wall.dev_login.token',
  'who passes all on to another host of the user gets nothing of it',
  async () => {
    const { url: real } = await openHost()
    const port = await checkPort(0)
    await ownStartToken(port, env)
    const { sent, url } = await openStranger(port, async (request, response) => {
      const passed = await fetch(`${real}${request.url}`, {
        method: 'POST',
        headers: { origin: real, 'content-type': 'application/json' },
        body: sent.at(-1) ?? '',
      })
      response.writeHead(passed.status).end(await passed.text())
    })
    await expect(connect({ host: url, user: 'ada' }, env)).rejects.toThrow('does not know your start token')
    expect(sent.join('\n').toLowerCase()).not.toContain('authorization')
  },
)
