import { writeFileSync } from 'node:fs'
import { listening } from '@svc/conformance/raw-http'
import { openToolHost, type ToolHost } from '@svc/conformance/testing/tool-host'
import { verifies } from '@svc/conformance/verifies'
import { afterEach, beforeEach, expect } from 'vitest'
import { openSocket, type TestSocket } from '../../testing/socket.ts'

let services: ToolHost
let port: number
let socket: TestSocket

beforeEach(async () => {
  services = await openToolHost({
    limits: { POOL_IDLE_MS: 100, SHUTDOWN_MS: 2_000, CALL_SOCKET_BODIES_MAX: 3 },
  })
  port = (await listening(services, services.window)).port
  socket = await openSocket({ port, cookie: services.window.cookie })
})
afterEach(() => services.close())

const envelope = (id: string, ns: string, method: string, args = {}) =>
  JSON.stringify({ id, window_uuid: services.window.windowUuid, ns, method, args })
const tool = (name: string, args = {}, id = '1') =>
  envelope(id, 'tools', 'invoke', { tool_id: `odd.${name}`, args })
const post = (body: string) => socket.post(body, services.window.token)
const beat = () => socket.ask(envelope('b', 'window', 'heartbeat'), services.window.token)

const busy = (count: number) =>
  expect.poll(() => services.runner.stats().busy, { timeout: 4_000 }).toBe(count)
const noneLeft = () => expect.poll(() => services.processes(), { timeout: 4_000 }).toEqual([])

verifies(
  ['design.socket.cancel', 'wall.plugin.tree'],
  'a number alone has its body cancelled in the plugin, and no other',
  async () => {
    const file = `${services.folder}/go`
    const [hangs, waits] = [post(tool('hang')), post(tool('wait', { file }))]
    await busy(2)
    socket.send(hangs)
    await busy(1)
    writeFileSync(file, '')
    expect(await socket.until(waits)).toMatchObject([{ status: 200 }])
    expect(await beat()).toMatchObject([{ status: 200 }])
    // Nobody waits for the answer, so none is written.
    expect(socket.lines.some(({ n }) => n === hangs)).toBe(false)
    await noneLeft()
  },
)

verifies.each(['design.socket.cancel', 'wall.plugin.tree'])([
  ['one call', 1, () => [tool('hang')]],
  ['three calls of one body', 3, () => [`[${[1, 2, 3].map((id) => tool('hang', {}, `${id}`)).join()}]`]],
  ['three bodies', 3, () => [1, 2, 3].map(() => tool('hang'))],
])('a socket that breaks in the midst of %s has it cancelled in the plugin', async (_name, count, bodies) => {
  for (const body of bodies()) post(body)
  await busy(count)
  socket.ws.terminate()
  await noneLeft()
  expect((await services.window.call('window', 'heartbeat')).ok).toBe(true)
})

verifies(
  ['wall.socket.frames', 'design.socket.cancel'],
  'a number that is in use closes the socket, and what was under way is cancelled',
  async () => {
    const n = post(tool('hang'))
    await busy(1)
    socket.send(`${n} ${services.window.token}\n${tool('hang')}`)
    expect(await socket.closed).toMatchObject({ code: 1008, reason: 'body 1 is already in progress' })
    await noneLeft()
  },
)

verifies(['wall.socket.caps'], 'a body past the most that may be under way is refused', async () => {
  for (let n = 0; n < 3; n++) post(tool('hang'))
  const [line] = await beat()
  expect(line?.status).toBe(429)
  expect(JSON.parse(line?.text ?? '')).toMatchObject({ id: '', ok: false, error: { code: 'rate_limited' } })
  socket.send('1')
  await busy(2)
  await expect.poll(async () => (await beat())[0]?.status).toBe(200)
  socket.ws.terminate()
})

verifies(['design.batch.as_ready', 'design.socket.quick'], 'each answer comes when it is ready', async () => {
  const file = `${services.folder}/go`
  const n = post(`[${tool('wait', { file }, 'slow')},${envelope('quick', 'window', 'heartbeat')}]`)
  const [first] = await socket.until(n)
  expect(JSON.parse(first?.text ?? '').id).toBe('quick')
  writeFileSync(file, '')
  expect((await socket.until(n, 2)).map(({ text }) => JSON.parse(text).id)).toEqual(['quick', 'slow'])
})

verifies(
  ['design.socket.close', 'host.close'],
  'a host that closes waits for the answers under way, refuses more bodies, and leaves',
  async () => {
    const file = `${services.folder}/go`
    const idle = await openSocket({ port, cookie: services.window.cookie })
    const waits = post(tool('wait', { file }))
    await busy(1)
    const closing = services.host.close()
    expect(await idle.closed).toMatchObject({ code: 1001 })
    const late = post(envelope('late', 'window', 'heartbeat'))
    writeFileSync(file, '')
    expect(await socket.until(waits)).toMatchObject([{ status: 200 }])
    expect(await socket.closed).toMatchObject({ code: 1001 })
    expect(await socket.until(late)).toMatchObject([
      { status: 503, text: expect.stringContaining('"by":"closing"') },
    ])
    await closing
  },
)
