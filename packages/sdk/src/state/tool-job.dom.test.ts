import { createTools, manifest } from '@svc/conformance/testing/bindings-app'
import { verifies } from '@svc/conformance/verifies'
import { svc } from '@svc/sdk'
import { createTestHost, type TestHost } from '@svc/testing'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createToolJob } from './tool-job.ts'

let host: TestHost
let lines: string[]

beforeEach(async () => {
  lines = []
  host = await createTestHost({ manifest, tools: createTools({ lines }) })
  await host.openWindow({ document: globalThis })
})
afterEach(() => host.close())

const listen = (method: string) => {
  const job = createToolJob<{ counted: number }, { n: number }>(svc, 'weather', method)
  const heard: unknown[] = []
  const stop = job.subscribe(({ state, progress }) => heard.push(progress?.data.n ?? state))
  return { job, stop, heard }
}

verifies('bindings.jobs', 'tells the states of a job, and each progress', async () => {
  const { job, heard } = listen('count')
  const end = job.get().start({ to: 3 }, { clientTag: 'mine' })
  await host.clock.advance(1_000)
  expect(await end).toMatchObject({
    state: 'done',
    value: { counted: 3 },
    jobId: expect.stringMatching(/^tjob_/),
  })
  expect(heard.slice(0, 2)).toEqual(['idle', 'running'])
  expect([...new Set(heard.slice(3))]).toEqual([1, 2, 3])
  const { jobs } = await svc.tools.listJobs({ clientTag: 'mine' })
  expect(jobs.map(({ jobId }) => jobId)).toEqual([job.get().jobId])
})

verifies('bindings.strict', 'starts the last of several jobs in one tick', async () => {
  const { job } = listen('count')
  const all = [1, 2].map((to) => job.get().start({ to }))
  await host.clock.advance(1_000)
  await Promise.all(all)
  expect([lines, job.get().value]).toEqual([['count 2'], { counted: 2 }])
})

verifies('bindings.jobs', 'stops reading with its last subscriber, and goes on with the next', async () => {
  const { job, stop } = listen('wait')
  const end = job.get().start()
  await host.clock.advance(1_000)
  stop()
  await host.clock.settled()
  expect(await end).toMatchObject({ state: 'running' })
  const jobId = String(job.get().jobId)
  expect(await svc.tools.job(jobId).state()).toBe('running')
  const states: string[] = []
  job.subscribe(({ state }) => states.push(state))
  job.get().cancel('enough')
  await host.clock.advance(6_000)
  expect(job.get()).toMatchObject({ state: 'failed', error: { code: 'cancelled' } })
  expect(states).toEqual(['running', 'failed'])
})

verifies('bindings.jobs', 'finds a job by its id', async () => {
  const { jobId } = await svc.tools.invokeAsync({ tool_id: 'weather', method: 'count', args: { to: 2 } })
  await host.clock.advance(1_000)
  const { job, heard } = listen('count')
  const end = job.get().attach(jobId)
  await host.clock.advance(1_000)
  expect(await end).toMatchObject({ state: 'done', jobId, value: { counted: 2 }, progress: { seq: 2 } })
  expect(heard).toContain(1)
})

it('cancels a job that has no id yet', async () => {
  const { job } = listen('wait')
  const end = job.get().start()
  job.get().cancel()
  await host.clock.advance(2_000)
  expect(await end).toMatchObject({ state: 'failed', error: { code: 'cancelled' } })
})

it.each([
  ['is refused', () => listen('none').job.get().start(), 'invalid_arg'],
  [
    'is unknown',
    () =>
      listen('count')
        .job.get()
        .attach(`tjob_${'0'.repeat(32)}`),
    'job_not_found',
  ],
])('fails where a job %s', async (_, begin, code) => {
  const end = begin()
  await host.clock.advance(1_000)
  expect(await end).toMatchObject({ state: 'failed', error: { code } })
})
