import { verifies } from '@svc/conformance/verifies'
import { afterAll, beforeAll, expect } from 'vitest'
import { type JobBed, openJobBed, PLUGIN, settled } from '../../testing/jobs.ts'
import { answered } from '../../testing/jobs-runner.ts'
import type { JobQuery } from './list.ts'

const me = { userId: 'ada', appId: 'app_1' }
const DAY = 86_400_000
const other = { ...PLUGIN, tool_id: 'tool-local-test-2', handle: 'test' }
let bed: JobBed
/** The ids of ada's jobs in app_1 by name, oldest first. */
const ids: Record<string, string> = {}
const nameOf = (id: string) => Object.entries(ids).find(([, one]) => one === id)?.[0] ?? 'foreign'

/** Jobs of ten days; the clock is moved without a sweeper. */
beforeAll(async () => {
  bed = openJobBed({ limits: { HOST_BEAT_MS: 2 ** 40, JOBS_ACTIVE_PER_USER: 9 } })
  const add = async (name: string, order: Parameters<JobBed['start']>[0], end = true) => {
    ids[name] = await bed.start({ ...order, timeoutMs: DAY })
    await settled()
    if (end) bed.runner.of(ids[name]).end(answered({ name }))
    await settled()
  }
  await add('ten days old', {})
  await bed.clock.advance(3 * DAY - 1)
  await add('a moment over a week old', {})
  await bed.clock.advance(1)
  await add('a week old', { clientTag: 'nightly' })
  await bed.clock.advance(6 * DAY)
  await add('due', {}, false)
  await bed.clock.advance(DAY)
  await add('tagged', { clientTag: 'nightly' })
  await add('other plugin', { plugin: other, tool: 'unit' })
  await bed.start({ appId: 'app_2', timeoutMs: DAY })
  await bed.start({ userId: 'bob', timeoutMs: DAY })
  await add('running', { tool: 'one' }, false)
})
afterAll(() => bed.close())

const list = async (query: Partial<JobQuery>) => {
  const { jobs, truncated } = await bed.jobs.list(me, { limit: 20, ...query })
  return [jobs.map(({ jobId }) => nameOf(jobId)), truncated]
}
const week = ['running', 'other plugin', 'tagged', 'due', 'a week old']
const ago = (days: number) => new Date(bed.clock.now() - days * DAY).toISOString()

verifies.each([
  'tools.listJobs.filters',
  'tools.listJobs.order',
  'tools.listJobs.lookback',
  'decision.list_jobs.order',
])([
  ['nothing', {}, week],
  ['a state', { state: 'succeeded' }, ['other plugin', 'tagged', 'a week old']],
  ['an expiry that nobody swept', { state: 'expired' }, ['due']],
  ['two states', { state: ['running', 'expired'] }, ['running', 'due']],
  ['a state that none has', { state: 'failed' }, []],
  ['a tag', { clientTag: 'nightly' }, ['tagged', 'a week old']],
  ['a tag that none has', { clientTag: 'night' }, []],
  ['a plugin by its id', { tool_id: 'tool-local-test-2' }, ['other plugin']],
  ['a plugin by its handle', { tool_id: 'test' }, ['other plugin']],
  ['a tool with a dot', { tool_id: 'build.one' }, ['running']],
  ['a tool with two underscores', { tool_id: 'tool-local-build-1__one' }, ['running']],
  ['a tool of another plugin', { tool_id: 'test.one' }, []],
  ['all of them', { state: 'succeeded', tool_id: 'build', clientTag: 'nightly' }, ['tagged', 'a week old']],
] as const)('by %s', async (_by, query, expected) => {
  expect(await list(query)).toEqual([expected, false])
})

verifies.each(['decision.list_jobs.since', 'tools.listJobs.lookback', 'tools.listJobs.filters'])([
  [0, ['running', 'other plugin', 'tagged']],
  [1, ['running', 'other plugin', 'tagged', 'due']],
  [6.5, ['running', 'other plugin', 'tagged', 'due']],
  [7, week],
  [8, week],
  [3_000, week],
])('since %d days ago', async (days, expected) => {
  expect(await list({ since: ago(days) })).toEqual([expected, false])
})

verifies(
  ['decision.list_jobs.since', 'tools.listJobs.since'],
  'an offset in a date is read, and letters of either case',
  async () => {
    const local = new Date(bed.clock.now() - DAY + 7_200_000).toISOString().replace('Z', '+02:00')
    for (const since of [local, local.replace('T', 't'), ago(1).toLowerCase()])
      expect(await list({ since })).toEqual([['running', 'other plugin', 'tagged', 'due'], false])
  },
)

verifies.each(['tools.listJobs.truncated', 'decision.list_jobs.truncated', 'tools.listJobs.limit'])([
  [1, {}, ['running'], true],
  [4, {}, week.slice(0, 4), true],
  [5, {}, week, false],
  [1, { clientTag: 'nightly' }, ['tagged'], true],
  [2, { clientTag: 'nightly' }, ['tagged', 'a week old'], false],
] as const)('at most %i of %j', async (limit, query, expected, truncated) => {
  expect(await list({ ...query, limit })).toEqual([expected, truncated])
})

verifies.each(['wall.jobs.list', 'decision.list_jobs.truncated'])([
  ['more than has room', 31, 1],
  ['as much as has room', 32, 2],
  ['less than one result', 1, 1],
  ['nothing', 0, 1],
])('results that hold %s', async (_what, JOB_LIST_RESULTS_MAX_BYTES, count) => {
  const other = openJobBed({ limits: { JOB_LIST_RESULTS_MAX_BYTES } })
  for (let n = 0; n < 3; n += 1) {
    const id = await other.start()
    await settled()
    other.runner.of(id).end(answered({ n, pad: 12 }))
    await settled()
    await other.clock.advance(1)
  }
  const { jobs, truncated } = await other.jobs.list(me, { limit: 3 })
  const newest = [
    { n: 2, pad: 12 },
    { n: 1, pad: 12 },
  ]
  expect(jobs.map(({ result }) => result)).toEqual(newest.slice(0, count))
  expect(truncated).toBe(true)
  expect((await other.jobs.list(me, { limit: 3, state: 'queued' })).truncated).toBe(false)
  await other.close()
})

verifies('decision.list_jobs.order', 'of one moment the higher id comes first', async () => {
  const { jobs } = await bed.jobs.list(me, { limit: 3 })
  const found = jobs.map(({ jobId }) => jobId)
  expect(new Set(jobs.map(({ createdAt }) => createdAt)).size).toBe(1)
  expect(found).toEqual([...found].sort().reverse())
})

verifies(
  ['route.jobs', 'decision.job.owner'],
  'the page sees the jobs of all apps, each with its app',
  async () => {
    const { jobs } = await bed.jobs.ofUser.list('ada', { since: ago(0) })
    expect(jobs.map(({ app_id }) => app_id).sort()).toEqual(['app_1', 'app_1', 'app_1', 'app_2'])
    expect((await bed.jobs.list(me, { limit: 1 })).jobs[0]).not.toHaveProperty('app_id')
  },
)

verifies('tools.listJobs.order', 'a list shows the last progress of each job, and its result', async () => {
  const { jobs } = await bed.jobs.list(me, { limit: 20 })
  expect(jobs.find(({ jobId }) => jobId === ids.tagged)).toMatchObject({ result: { name: 'tagged' } })
  for (let n = 1; n <= 7; n += 1) bed.runner.of(ids.running ?? '').tell(n)
  await settled()
  const [running] = (await bed.jobs.list(me, { limit: 1 })).jobs
  expect(running).toMatchObject({ lastSeq: 7 })
  expect(running?.progress.map(({ seq }) => seq)).toEqual([3, 4, 5, 6, 7])
})
