import { openTestHost, type TestHost, type TestWindow } from '@svc/conformance/testing/host'
import { verifies } from '@svc/conformance/verifies'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openSocket, type TestSocket } from '../../testing/socket.ts'

let services: TestHost
let window: TestWindow
let port: number
let socket: TestSocket

beforeAll(async () => {
  services = await openTestHost({ manifest: { host_api: { storage: ['*'] } } })
  window = await services.openWindow()
  port = (await services.host.listen(0)).port
})
afterAll(() => services.close())
beforeEach(async () => {
  socket = await openSocket({ port, cookie: window.cookie })
})
afterEach(() => socket.ws.terminate())

const envelope = (ns = 'window', method = 'heartbeat', args = {}) =>
  JSON.stringify({ id: '1', window_uuid: window.windowUuid, ns, method, args })

describe('a frame', () => {
  const long = 'x'.repeat(8_192)
  verifies.each(['wall.socket.frames'])([
    ['nothing', () => '', 1008],
    ['a word', () => 'hello', 1008],
    ['a line feed alone', () => '\n', 1008],
    ['a body without a head', () => envelope(), 1008],
    ['a number and no token, before a body', () => `1\n${envelope()}`, 1008],
    ['a number and a token, and no body', () => `1 ${window.token}`, 1008],
    ['a number with a sign', () => `-1 ${window.token}\n{}`, 1008],
    ['a number of sixteen digits', () => `1234567890123456 ${window.token}\n{}`, 1008],
    ['a head that is too long', () => `1 ${long}\n{}`, 1008],
    ['a head that does not end', () => `1 ${long}`, 1008],
    ['bytes', () => Buffer.from('1'), 1003],
    ['more than body and head may have', () => `1 ${window.token}\n${'x'.repeat(6_299_649)}`, 1009],
  ])('of %s closes the socket', async (_name, frame, code) => {
    const text = frame()
    if (typeof text === 'string') socket.send(text)
    else socket.ws.send(text)
    // What comes behind it is not looked at.
    socket.post(envelope('storage', 'set', { key: 'late', value: 1 }), window.token)
    expect(await socket.closed).toMatchObject({ code })
    expect(socket.lines).toEqual([])
    expect(await window.call('storage', 'get', { key: 'late' })).toMatchObject({ ok: false })
  })

  test.each([
    ['an empty token', (): [string, string] => ['', envelope()], 401],
    ['a token that is none', (): [string, string] => ['a b c', envelope()], 401],
  ])('of %s is answered', async (_name, parts, status) => {
    const [token, body] = parts()
    expect(await socket.ask(body, token)).toMatchObject([{ status }])
  })

  test('that gives up what is not under way changes nothing', async () => {
    socket.send('999')
    expect(await socket.ask(envelope(), window.token)).toMatchObject([{ n: '1', status: 200 }])
    socket.send('1')
    expect(await socket.ask(envelope(), window.token)).toMatchObject([{ n: '2', status: 200 }])
  })

  test('may use a number again when it was answered', async () => {
    for (let round = 1; round <= 2; round++) {
      socket.send(`7 ${window.token}\n${envelope()}`)
      expect(await socket.until('7', round)).toHaveLength(round)
    }
  })

  test('in parts is one', async () => {
    const frame = `3 ${window.token}\n${envelope()}`
    const parts = frame.match(/.{1,50}/gs) ?? []
    for (const [at, part] of parts.entries()) socket.ws.send(part, { fin: at === parts.length - 1 })
    expect(await socket.until('3')).toMatchObject([{ status: 200 }])
  })
})
