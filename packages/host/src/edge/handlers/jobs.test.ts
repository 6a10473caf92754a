import { readFileSync } from 'node:fs'
import {
  openTestHost,
  type TestHost,
  type TestHostOptions,
  type TestWindow,
  testManifest,
} from '@svc/conformance/testing/host'
import { verifies } from '@svc/conformance/verifies'
import type { RpcResponse } from '@svc/contract'
import { type FrozenClock, frozenClock } from '@svc/node/testing'
import { memoryBus, memoryStore } from '@svc/state'
import { afterAll, beforeAll, expect } from 'vitest'
import { settled } from '../../testing/jobs.ts'
import { answered, type TestRunner, testRunner } from '../../testing/jobs-runner.ts'

interface JobHost extends TestHost {
  readonly clock: FrozenClock
  readonly runner: TestRunner
  readonly window: TestWindow
}

/** A host whose runner does what the test says, and a window of an app that may use its plugin. */
async function openJobHost(options: TestHostOptions = {}): Promise<JobHost> {
  const clock = frozenClock()
  const runner = testRunner()
  const plugins = [{ slug: 'build', command: ['build'] as [string] }]
  const services = await openTestHost({
    clock,
    runner,
    plugins,
    manifest: { required_plugs: ['build'] },
    ...options,
  })
  await services.host.plugins.ready()
  return { ...services, clock, runner, window: await services.openWindow() }
}

let services: JobHost
beforeAll(async () => {
  services = await openJobHost({ limits: { JOBS_ACTIVE_PER_USER: 1_000, RUNNER_QUEUE_MAX: 1_000 } })
})
afterAll(() => services.close())

const call = (method: string, args: unknown, window = services.window) => window.call('tools', method, args)
const start = (args: object = {}, window = services.window) =>
  call('invokeAsync', { tool_id: 'build', method: 'all', ...args }, window)
const resultOf = <T>(answer: RpcResponse) => {
  if (!answer.ok) throw new Error(`${answer.error.code}: ${answer.error.message}`)
  return answer.result as T
}
/** Waits until the jobs that were started have their processes, which begin after the event that says so. */
const begun = async () => {
  for (let turn = 0; turn < 4; turn += 1) await settled()
}
const startOk = async (args: object = {}) => resultOf<{ jobId: string }>(await start(args)).jobId

verifies.each(['job.create.result', 'ids.job', 'tools.invokeAsync.args', 'version.jobs'])([
  [{}],
  [{ args: { a: 1 }, timeoutMs: 60_000, clientTag: 'x'.repeat(120) }],
  [{ tool_id: 'build.all', method: undefined }],
  [{ tool_id: 'build__all', method: undefined }],
])('invokeAsync %j answers id, queued and the deadline', async (args) => {
  const { jobId, ...rest } = resultOf<{ jobId: string }>(await start(args))
  expect(jobId).toMatch(/^tjob_[0-9a-f]{32}$/)
  const deadlineMs = services.clock.now() + ('timeoutMs' in args ? 60_000 : 1_800_000)
  expect(rest).toEqual({ state: 'queued', deadlineMs })
})

const corpus: { async: [unknown, unknown][] } = JSON.parse(
  readFileSync(new URL('../../../../conformance/corpora/timeouts.json', import.meta.url), 'utf8'),
)
/** How a row writes its value: absent, a literal that JSON.stringify cannot write, or the value. */
const text = (value: unknown) =>
  value === '<absent>'
    ? ''
    : `,"timeoutMs":${typeof value === 'string' && value.endsWith(' literal') ? value.split(' ')[0] : JSON.stringify(value)}`

verifies.each([
  'tools.invokeAsync.deadline.default',
  'tools.invokeAsync.deadline.clamped',
  'tools.invokeAsync.timeout.boolean',
  'decision.timeout.async',
])([
  ...corpus.async,
  [0, 60_000],
  [59_999, 60_000],
  [60_001, 60_001],
  [86_400_000, 86_400_000],
  [-9_007_199_254_740_991, 60_000],
  [9_007_199_254_740_991, 86_400_000],
  [9_007_199_254_740_992, 'invalid_arg'],
  [false, 'invalid_arg'],
  [null, 'invalid_arg'],
  [[], 'invalid_arg'],
  ['1e400 literal', 'invalid_arg'],
])('timeoutMs %j is %j', async (value, expected) => {
  const { body } = await services.window.post(
    `{"id":"1","window_uuid":"${services.window.windowUuid}","ns":"tools","method":"invokeAsync",` +
      `"args":{"tool_id":"build.all"${text(value)}}}`,
  )
  if (typeof expected === 'number')
    expect(body).toMatchObject({ ok: true, result: { deadlineMs: services.clock.now() + expected } })
  else expect(body).toMatchObject({ ok: false, error: { code: 'invalid_arg', message: /timeoutMs/ } })
})

const MAX = 65_536
verifies.each(['tools.invokeAsync.args.cap', 'error.invalid_arg.async_args', 'decision.caps.async'])([
  ['ASCII', (bytes: number) => 'x'.repeat(bytes)],
  ['two bytes a character', (bytes: number) => 'é'.repeat(Math.floor(bytes / 2)) + 'x'.repeat(bytes % 2)],
])('arguments of 64 KB pass, one byte more does not: %s', async (_name, pad) => {
  const frame = '{"pad":""}'.length
  await startOk({ args: { pad: pad(MAX - frame) } })
  expect(await start({ args: { pad: pad(MAX + 1 - frame) } })).toMatchObject({
    ok: false,
    error: { code: 'invalid_arg', details: { size: MAX + 1, max: MAX } },
  })
})

verifies.each([
  'tools.invokeAsync.tag',
  'tools.getJob.args',
  'tools.cancelJob.args',
  'tools.listJobs.limit',
  'decision.progress.since',
  'decision.list_jobs.rejects',
  'decision.reject_ranges',
])([
  ['invokeAsync', { tool_id: 'build.all', clientTag: 'x'.repeat(121) }],
  ['invokeAsync', { tool_id: 'build.all', clientTag: 1 }],
  ['invokeAsync', { tool_id: 'build.all', args: [] }],
  ['invokeAsync', { tool_id: 'build.nosuch' }],
  ['invokeAsync', { tool_id: 'build' }],
  ['invokeAsync', {}],
  ['getJob', {}],
  ['getJob', { jobId: 1 }],
  ['getJob', { jobId: 'x', sinceSeq: -1 }],
  ['getJob', { jobId: 'x', sinceSeq: 1.5 }],
  ['getJob', { jobId: 'x', sinceSeq: '1' }],
  ['getJob', { jobId: 'x', limit: 0 }],
  ['getJob', { jobId: 'x', limit: 501 }],
  ['getJob', { jobId: 'x', limit: 1.5 }],
  ['cancelJob', {}],
  ['cancelJob', { jobId: 'x', reason: 'x'.repeat(201) }],
  ['cancelJob', { jobId: 'x', reason: 1 }],
  ['listJobs', { limit: 0 }],
  ['listJobs', { limit: 101 }],
  ['listJobs', { state: 'done' }],
  ['listJobs', { state: [] }],
  ['listJobs', { state: ['queued', 'done'] }],
  ['listJobs', { since: '2026-01-01T00:00:00' }],
  ['listJobs', { since: '2026-01-01' }],
  ['listJobs', { since: 'yesterday' }],
  ['listJobs', { since: 1 }],
  ['listJobs', { clientTag: 'x'.repeat(121) }],
])('%s refuses %j', async (method, args) => {
  expect(await call(method, args)).toMatchObject({ ok: false, error: { code: 'invalid_arg' } })
})

verifies.each(['tools.getJob.args', 'tools.cancelJob.args', 'error.job_not_found'])([
  ['getJob', { jobId: 'x', limit: 1 }],
  ['getJob', { jobId: 'x', limit: 500, sinceSeq: 0 }],
  ['cancelJob', { jobId: 'x', reason: 'x'.repeat(200) }],
])('%s takes %j, and there is no such job', async (method, args) => {
  expect(await call(method, args)).toMatchObject({ ok: false, error: { code: 'job_not_found' } })
})

verifies(
  ['tools.listJobs.limit', 'tools.listJobs.truncated', 'job.foreign'],
  'of 25 jobs a list without a limit gives 20; another user sees none of them',
  async () => {
    for (let n = 0; n < 25; n += 1) await startOk({ clientTag: 'many' })
    const listed = resultOf<{ jobs: unknown[]; truncated: boolean }>(await call('listJobs', {}))
    expect([listed.jobs.length, listed.truncated]).toEqual([20, true])
    const more = resultOf<{ jobs: unknown[] }>(await call('listJobs', { limit: 100, clientTag: 'many' }))
    expect(more.jobs).toHaveLength(25)
  },
)

verifies(
  ['tools.cancelJob.result', 'job.success.stored', 'job.snapshot.result'],
  'a job is read and cancelled by the window, and its result is an object',
  async () => {
    const other = await openJobHost()
    const id = resultOf<{ jobId: string }>(await start({ args: { deep: { er: 1 } } }, other.window)).jobId
    await begun()
    expect(other.runner.of(id).args).toEqual({ deep: { er: 1 } })
    other.runner.of(id).end(answered('text'))
    await settled()
    expect(await call('getJob', { jobId: id }, other.window)).toMatchObject({
      ok: true,
      result: { state: 'succeeded', result: { value: 'text' }, method: 'all' },
    })
    expect(await call('cancelJob', { jobId: id }, other.window)).toEqual({
      id: '1',
      ok: true,
      result: { jobId: id, state: 'succeeded', cancelled: false },
    })
    await other.close()
  },
)

verifies.each(['decision.runner.none_async', 'error.agent_unavailable', 'error.permission_denied.tool'])([
  ['no runner', { runner: null }, 'build', 'agent_unavailable'],
  ['no such plugin', { manifest: { required_plugs: ['other'] } }, 'other', 'agent_unavailable'],
  ['an undeclared plugin', {}, 'other', 'permission_denied'],
])('with %s there is no job', async (_why, options, tool_id, code) => {
  const other = await openJobHost(options)
  expect(await start({ tool_id }, other.window)).toMatchObject({ ok: false, error: { code } })
  expect(await other.host.jobs.list('ada')).toEqual({ jobs: [], truncated: false })
  await other.close()
})

verifies(
  ['error.job_quota_exceeded', 'error.long_job_capacity', 'decision.capacity.queue_full'],
  'too many jobs are refused as retryable',
  async () => {
    const other = await openJobHost({ limits: { RUNNER_QUEUE_MAX: 0, JOBS_ACTIVE_PER_USER: 4 } })
    const codes: unknown[] = []
    for (let n = 0; n < 4; n += 1) {
      const answer = await start({}, other.window)
      codes.push(answer.ok ? 'ok' : [answer.error.code, answer.error.details?.retriable])
    }
    expect(codes).toEqual(['ok', 'ok', 'ok', ['long_job_capacity', true]])
    await other.close()
  },
)

verifies(
  ['design.events.jobs', 'event.tool_job', 'job.event.shape'],
  'the page reads each step of a job from its event stream',
  async () => {
    const other = await openJobHost()
    const cookie = await other.signIn('ada')
    const query = `windows=${other.window.windowUuid}&jobs=1`
    const response = await other.request(`/api/v1/svc-apps/runtime/events?${query}`, { cookie })
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
    const { jobId } = resultOf<{ jobId: string }>(await start({}, other.window))
    await begun()
    other.runner.of(jobId).tell({ done: 1 })
    await settled()
    other.runner.of(jobId).end(answered({ secret: 'result' }))
    let read = ''
    while (read.split('"terminal":true').length < 3) read += (await reader?.read())?.value ?? ''
    const events = [...read.matchAll(/^data: (\{"type":"tool_job".*)$/gm)].map(([, json = '']) =>
      JSON.parse(json),
    )
    for (const window_uuid of [other.window.windowUuid, null])
      expect(events.filter((event) => event.window_uuid === window_uuid)).toEqual(
        [
          { state: 'queued', seq: 0, event: 'queued', terminal: false },
          { state: 'running', seq: 0, event: 'running', terminal: false },
          { state: 'running', seq: 1, event: 'progress', terminal: false },
          { state: 'succeeded', seq: 1, event: 'succeeded', terminal: true },
        ].map((step) => ({
          type: 'tool_job',
          window_uuid,
          job_id: jobId,
          tool_id: expect.stringMatching(/^tool-local-build-/),
          ...step,
        })),
      )
    await reader?.cancel()
    await other.close()
  },
)

verifies('version.harness.jobs', 'a harness that starts again knows no job of before', async () => {
  const before = await openJobHost()
  const { jobId } = resultOf<{ jobId: string }>(await start({}, before.window))
  await before.close()
  const after = await openJobHost()
  expect(await call('getJob', { jobId }, after.window)).toMatchObject({ error: { code: 'job_not_found' } })
  await after.close()
})

verifies(
  ['decision.host_crash.running', 'decision.host_crash.waiting'],
  'of two hosts over one store the second looks after the jobs of the first, within five seconds',
  async () => {
    const shared = { store: memoryStore(), bus: memoryBus({ clock: frozenClock() }), secret: 's'.repeat(32) }
    const limits = { JOBS_RUNNING_PER_RUNNER: 1 }
    const [first, second] = [
      await openJobHost({ ...shared, limits }),
      await openJobHost({ ...shared, limits, user: 'bob' }),
    ]
    for (let n = 0; n < 2; n += 1) await start({}, first.window)
    await settled()
    await second.clock.advance(5_000)
    const { jobs } = await second.host.jobs.list('ada')
    expect(jobs.map(({ state }) => state).sort()).toEqual(['failed', 'running'])
    expect(jobs.find(({ state }) => state === 'failed')?.error).toMatchObject({
      code: 'agent_unavailable',
      details: { retriable: true },
    })
    const [taken] = second.runner.started
    expect(taken?.jobId).toBe(jobs.find(({ state }) => state === 'running')?.jobId)
    await first.close()
    await second.close()
    expect([first.clock.timers, second.clock.timers]).toEqual([0, 0])
  },
)

verifies(
  'wall.jobs.uninstalled',
  'an app that is uninstalled has no job left under way, and no job of another app ends',
  async () => {
    const other = await openJobHost()
    const cookie = await other.signIn('ada')
    const { app_id } = await other.host.apps.register('ada', { slug: 'second', name: 'Second' })
    const files = new Map([['index.html', Buffer.from('<p>')]])
    const manifest = testManifest({ required_plugs: ['build'] })
    const { version } = await other.host.apps.pushDraft('ada', app_id, { manifest, files })
    await other.host.apps.install('ada', { app_id, version })
    await start({}, await other.openWindow(undefined, undefined, cookie, app_id))
    for (let n = 0; n < 4; n += 1) await start({}, other.window)
    await begun()
    const [install] = (await other.host.apps.installed('ada')).filter((one) => one.app_id === other.appId)
    await other.host.apps.uninstall('ada', install?.install_id ?? '')
    const { jobs } = await other.host.jobs.list('ada')
    expect(jobs.filter((job) => job.app_id === app_id)).toMatchObject([{ state: 'running' }])
    const gone = jobs.filter((job) => job.app_id === other.appId)
    expect(gone.map(({ state, error }) => [state, error?.message])).toEqual(
      Array.from({ length: 4 }, () => ['cancelled', 'the app was uninstalled']),
    )
    expect(other.runner.started.map(({ signal }) => signal.aborted)).toEqual([false, true, true])
    await other.close()
  },
)

verifies('host.close', 'a host with jobs closes without a timer left', async () => {
  const other = await openJobHost()
  for (let n = 0; n < 5; n += 1) await start({}, other.window)
  await begun()
  await other.close()
  expect(other.runner.started.map(({ signal }) => signal.aborted)).toEqual([true, true, true])
  expect(other.clock.timers).toBe(0)
})
