import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openToolHost, type ToolHost } from '@svc/conformance/testing/tool-host'
import { verifies } from '@svc/conformance/verifies'
import { afterAll, beforeAll, expect } from 'vitest'

const RPC = '/api/v1/svc-apps/runtime/rpc'
let services: ToolHost

beforeAll(async () => {
  services = await openToolHost({ manifest: { required_plugs: ['odd'], host_api: { storage: ['*'] } } })
})
afterAll(() => services.close())

const envelope = (id: string, over: Record<string, unknown> = {}) =>
  JSON.stringify({
    id,
    window_uuid: services.window.windowUuid,
    ns: 'window',
    method: 'heartbeat',
    args: {},
    ...over,
  })
const wait = (id: string, file: string) =>
  envelope(id, { ns: 'tools', method: 'invoke', args: { tool_id: 'odd.wait', args: { file } } })
const lines = (text: string) =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { id: string; ok: boolean; error?: { code: string } })

verifies(
  ['design.batch.array', 'design.batch.each', 'design.batch.content_type'],
  'an array is answered with a line for each of its calls, each judged by itself',
  async () => {
    const response = await services.request(RPC, {
      method: 'POST',
      cookie: services.window.cookie,
      headers: { 'x-svc-app-token': services.window.token },
      body: `[${envelope('a')},${envelope('b', { window_uuid: 'other' })},{"id":7},${envelope('c', { ns: 'nosuch' })},${envelope('a')}]`,
    })
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('application/x-ndjson; charset=utf-8')
    const said = lines(await response.text()).map(({ id, error }) => `${id} ${error?.code ?? 'ok'}`)
    expect(said.sort()).toEqual([' invalid_arg', 'a ok', 'a ok', 'b invalid_token', 'c permission_denied'])
  },
)

verifies.each(['design.batch.size', 'route.rpc.failure_shape'])([
  [0, 400],
  [1, 200],
  [64, 200],
  [65, 400],
])('an array of %i calls is answered with %i', async (count, expected) => {
  const { status, text } = await services.window.post(
    `[${Array.from({ length: count }, (_, at) => envelope(`${at}`)).join()}]`,
  )
  expect(status).toBe(expected)
  if (status === 200) expect(lines(text)).toHaveLength(count)
  else expect(JSON.parse(text)).toMatchObject({ id: '', ok: false, error: { code: 'invalid_arg' } })
})

verifies('design.batch.as_ready', 'a quick call does not wait for a slow one before it', async () => {
  const file = join(services.folder, 'as-ready')
  const response = await services.request(RPC, {
    method: 'POST',
    cookie: services.window.cookie,
    headers: { 'x-svc-app-token': services.window.token },
    body: `[${wait('slow', file)},${envelope('quick')}]`,
  })
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  const first = await reader?.read()
  expect(lines(first?.value ?? '').map(({ id }) => id)).toEqual(['quick'])
  writeFileSync(file, '')
  const second = await reader?.read()
  expect(lines(second?.value ?? '').map(({ id }) => id)).toEqual(['slow'])
  expect((await reader?.read())?.done).toBe(true)
})

verifies(
  ['design.batch.in_flight', 'wall.in_flight.host', 'error.rate_limited'],
  'each call of an array takes a place of its own',
  async () => {
    const file = join(services.folder, 'in-flight')
    const slow = services.window.post(
      `[${Array.from({ length: 63 }, (_, at) => wait(`${at}`, file)).join()}]`,
    )
    await expect.poll(() => services.runner.stats().busy + services.runner.stats().waiting).toBe(63)
    const one = services.window.post(wait('one', file))
    await expect.poll(() => services.runner.stats().busy + services.runner.stats().waiting).toBe(64)
    const { text } = await services.window.post(`[${envelope('x')},${envelope('y')}]`)
    expect(lines(text).map(({ error }) => error?.code)).toEqual(['rate_limited', 'rate_limited'])
    writeFileSync(file, '')
    expect(lines((await slow).text).every(({ ok }) => ok)).toBe(true)
    expect((await one).status).toBe(200)
    expect((await services.window.post(envelope('z'))).status).toBe(200)
  },
)
