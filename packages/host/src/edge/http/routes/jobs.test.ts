import { openTestHost, type TestHost } from '@svc/conformance/testing/host'
import { verifies } from '@svc/conformance/verifies'
import { afterAll, beforeAll, expect } from 'vitest'
import { settled } from '../../../testing/jobs.ts'
import { type TestRunner, testRunner } from '../../../testing/jobs-runner.ts'

const JOBS = '/api/v1/svc-apps/jobs'
let services: TestHost
let runner: TestRunner
let ada: string
let id: string

beforeAll(async () => {
  runner = testRunner()
  const plugins = [{ slug: 'build', command: ['build'] as [string] }]
  services = await openTestHost({ runner, plugins, manifest: { required_plugs: ['build'] } })
  await services.host.plugins.ready()
  ada = await services.signIn('ada')
  const window = await services.openWindow()
  const start = () => window.call('tools', 'invokeAsync', { tool_id: 'build.all' })
  const answer = await start()
  id = answer.ok ? (answer.result as { jobId: string }).jobId : ''
  await start()
  await settled()
})
afterAll(() => services.close())

const get = async (query: string, cookie = ada) => {
  const response = await services.request(JOBS + query, { cookie })
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into answers of every shape.
  return { status: response.status, body: (await response.json()) as any }
}
const cancel = async (jobId: string, body: unknown, cookie = ada) => {
  const init = { method: 'POST', body: JSON.stringify(body), cookie }
  const response = await services.request(`${JOBS}/${jobId}/cancel`, init)
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into answers of every shape.
  return { status: response.status, body: (await response.json()) as any }
}

verifies(['route.jobs', 'host.twins'], 'the page lists the jobs of its user, each with its app', async () => {
  const { status, body } = await get('')
  expect(status).toBe(200)
  expect(body).toMatchObject({
    jobs: [{ state: 'running', app_id: services.appId }, { app_id: services.appId }],
    truncated: false,
  })
  expect(body).toEqual(await services.host.jobs.list('ada'))
  expect((await get('', await services.signIn('bob'))).body).toEqual({ jobs: [], truncated: false })
})

verifies.each(['route.jobs'])([
  ['?limit=1', 1, true],
  ['?limit=100&state=running', 2, false],
  ['?state=queued,succeeded', 0, false],
])('%s gives %i', async (query, count, truncated) => {
  const { body } = await get(query)
  expect([body.jobs.length, body.truncated]).toEqual([count, truncated])
})

verifies.each(['route.jobs', 'route.errors'])([
  ['?limit=0'],
  ['?limit=101'],
  ['?limit=ten'],
  ['?limit='],
  ['?state=done'],
  ['?state='],
])('%s is invalid_arg', async (query) => {
  expect(await get(query)).toMatchObject({ status: 400, body: { error: { code: 'invalid_arg' } } })
})

verifies(['route.jobs', 'route.foreign'], 'the page cancels a job of its user and no other', async () => {
  const missing = { status: 404, body: { error: { code: 'job_not_found' } } }
  expect(await cancel(id, {}, await services.signIn('bob'))).toMatchObject(missing)
  expect(await cancel('nosuch', {})).toMatchObject(missing)
  expect(await cancel(id, { reason: 'x'.repeat(201) })).toMatchObject({ status: 400 })
  const done = { jobId: id, state: 'cancelled', cancelled: true }
  expect(await cancel(id, { reason: 'enough' })).toEqual({ status: 200, body: done })
  expect(runner.of(id).signal.reason).toBe('enough')
  expect((await cancel(id, {})).body).toEqual({ ...done, cancelled: false })
  expect(await services.host.jobs.cancel('ada', id)).toEqual({ ...done, cancelled: false })
})

verifies.each(['route.no_sign_in', 'route.jobs'])([
  [JOBS, 'GET'],
  [`${JOBS}/x/cancel`, 'POST'],
])('%s needs a sign-in', async (path, method) => {
  const response = await services.request(path, { method })
  expect([response.status, ((await response.json()) as { error: { code: string } }).error.code]).toEqual([
    401,
    'invalid_token',
  ])
})
