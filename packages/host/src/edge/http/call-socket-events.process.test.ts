import { atPort, openTestHost, type TestHost, type TestWindow } from '@svc/conformance/testing/host'
import { verifies } from '@svc/conformance/verifies'
import { afterEach, beforeEach, expect } from 'vitest'
import { openSocket, type TestSocket } from '../../testing/socket.ts'

let services: TestHost
let window: TestWindow
let port: number
let socket: TestSocket

beforeEach(async () => {
  services = await openTestHost({
    limits: { EVENT_STREAMS_PER_USER: 2 },
    manifest: { host_api: { window: ['*'] } },
  })
  window = await services.openWindow()
  port = (await services.host.listen(0)).port
  socket = await openSocket({ port, cookie: window.cookie })
})
afterEach(() => services.close())

/** Opens the stream of some windows; resolves with the status that the host says. */
async function open(query: string, lastEventId = '', on = socket) {
  const before = on.lines.filter(({ n }) => n === '0').length
  on.send(`0 7 ${lastEventId}\n${query}`)
  await expect.poll(() => on.lines.filter(({ n }) => n === '0').length).toBe(before + 1)
  const line = on.lines.filter(({ n }) => n === '0').at(-1)
  if (line?.status === 200) expect(line.text).toBe('7')
  return line
}
const said = (on = socket) => on.events.join('')
const titles = (on = socket) => Array.from(said(on).matchAll(/"title":"(\w+)"/g), ([, title]) => title)
const cursor = (on = socket) => Array.from(said(on).matchAll(/^id: (\S+)$/gm), ([, id]) => id).at(-1)
const rename = (title: string, of = window) => of.call('window', 'set_title', { title })

verifies(
  'design.events.socket',
  'tells what a request is told, and goes on where another connection was',
  async () => {
    expect(await open(`windows=${window.windowUuid}`)).toMatchObject({ status: 200 })
    await rename('one')
    await expect.poll(() => titles()).toEqual(['one'])
    const place = cursor()
    socket.ws.terminate()
    await rename('two')
    const next = await openSocket({ port, cookie: window.cookie })
    expect(await open(`windows=${window.windowUuid}`, place, next)).toMatchObject({ status: 200 })
    await rename('three')
    await expect.poll(() => titles(next)).toEqual(['two', 'three'])
    expect(said(next)).not.toContain('event: reset')
  },
)

verifies(
  'design.events.socket',
  'has one at a time: a second takes the place of the first, and 0 ends it',
  async () => {
    const other = await services.openWindow()
    await open(`windows=${window.windowUuid}`)
    await open(`windows=${other.windowUuid}`)
    await open(`windows=${other.windowUuid}`)
    await rename('first')
    await rename('second', other)
    await expect.poll(() => titles()).toEqual(['second'])
    socket.send('0')
    // What is asked after it finds it ended.
    await socket.ask(
      JSON.stringify({
        id: '1',
        window_uuid: other.windowUuid,
        ns: 'window',
        method: 'set_title',
        args: { title: 'third' },
      }),
      other.token,
    )
    expect(await open(`windows=${window.windowUuid}`)).toMatchObject({ status: 200 })
    await rename('fourth')
    await expect.poll(() => titles()).toEqual(['second', 'fourth'])
  },
)

verifies(
  ['design.events.socket', 'design.events.foreign'],
  'tells nobody of the windows of others',
  async () => {
    const bobs = await openSocket({ port, cookie: await services.signIn('bob') })
    await open(`windows=${window.windowUuid}`, '', bobs)
    await open(`windows=${window.windowUuid}`)
    await rename('mine')
    await expect.poll(() => titles()).toEqual(['mine'])
    expect(titles(bobs)).toEqual([])
  },
)

verifies('design.events.socket', 'is refused as a request is, and calls go on', async () => {
  expect(await open('windows=a&jobs=2')).toMatchObject({
    status: 400,
    text: expect.stringContaining('jobs must be 0 or 1'),
  })
  const cookie = atPort(window.cookie, { port })
  const url = `http://127.0.0.1:${port}/api/v1/svc-apps/runtime/events`
  const full = [await fetch(url, { headers: { cookie } }), await fetch(url, { headers: { cookie } })]
  expect(await open('windows=a')).toMatchObject({ status: 429 })
  for (const { body } of full) await body?.cancel()
  const beat = JSON.stringify({
    id: '1',
    window_uuid: window.windowUuid,
    ns: 'window',
    method: 'heartbeat',
    args: {},
  })
  expect(await socket.ask(beat, window.token)).toMatchObject([{ status: 200 }])
})

verifies('design.events.socket', 'closes a socket whose query could be in no head', async () => {
  socket.send(`0 7 \n${'x'.repeat(65_537)}`)
  expect(await socket.closed).toMatchObject({ code: 1008 })
})

verifies('design.events.socket', 'ends with the host, behind what it still had to tell', async () => {
  await open(`windows=${window.windowUuid}`)
  await services.close()
  expect(await socket.closed).toMatchObject({ code: 1001 })
  expect(socket.lines.filter(({ n }) => n === '0').map(({ status }) => status)).toEqual([200, 204])
  expect(said()).toMatch(/retry: 100\n\n$/)
})
