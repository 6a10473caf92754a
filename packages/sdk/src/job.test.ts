import { verifies } from '@svc/conformance/verifies'
import { expect, it } from 'vitest'
import { refusal, settled } from './testing/call.ts'
import { idOf, jobBed } from './testing/job.ts'

/** A bed with a job that runs and has told three things. */
function running() {
  const bed = jobBed()
  bed.answer('invokeAsync', { tool_id: 'builder' })
  for (let n = 1; n <= 3; n++) bed.progress(1, n)
  return { bed, job: bed.tools.job(idOf(1)) }
}

verifies('design.sdk.job', 'asks for nothing before it is asked', async () => {
  const { bed, job } = running()
  job.progress()
  job.progress()[Symbol.asyncIterator]()
  await settled()
  expect([job.jobId, bed.seen, bed.left()]).toEqual([idOf(1), [], 0])
})

it('reads the job as it is', async () => {
  const { job } = running()
  expect(await job.snapshot()).toMatchObject({ state: 'running', lastSeq: 3, progress: [{}, {}, {}] })
})

it('tells the state that it asks for, without the progress', async () => {
  const { bed, job } = running()
  expect(await job.state()).toBe('running')
  expect(bed.seen).toEqual([
    { method: 'getJob', args: { jobId: idOf(1), sinceSeq: Number.MAX_SAFE_INTEGER } },
  ])
  await job.cancel()
  expect(await job.state()).toBe('cancelled')
  await expect(bed.tools.job(idOf(9)).state()).rejects.toMatchObject({ code: 'job_not_found' })
})

verifies(
  'design.sdk.job.progress',
  'tells the progress from the beginning, and ends with the job',
  async () => {
    const { bed, job } = running()
    const heard: unknown[] = []
    const reading = (async () => {
      for await (const { data } of job.progress()) heard.push(data)
    })()
    await settled()
    expect(heard).toEqual([1, 2, 3])
    bed.progress(1, 4)
    bed.event(1)
    await bed.pass(100)
    expect(heard).toEqual([1, 2, 3, 4])
    bed.progress(1, 5)
    bed.end(1, 'failed', { error: { code: 'tool_failed', message: 'm' } })
    bed.event(1)
    await reading
    expect([heard, bed.left()]).toEqual([[1, 2, 3, 4, 5], 0])
  },
)

it('tells the progress from where it is asked to, and all of a job that has ended', async () => {
  const { bed, job } = running()
  bed.end(1, 'succeeded', { result: {} })
  const heard: unknown[] = []
  for await (const { seq } of job.progress({ sinceSeq: 1 })) heard.push(seq)
  for await (const { seq } of job.progress({ sinceSeq: 9 })) heard.push(seq)
  expect([heard, bed.left()]).toEqual([[2, 3], 0])
})

verifies.each('design.sdk.job.progress')([
  ['break', 'leaves the loop'],
  ['throw', 'throws in it'],
])('lets go of everything when its reader %ss', async (way) => {
  const { bed, job } = running()
  const read = async () => {
    for await (const { seq } of job.progress()) {
      if (way === 'throw') throw new Error('mine')
      if (seq === 2) break
    }
  }
  await read().catch(() => undefined)
  expect([bed.left(), bed.active(1), bed.count('cancelJob')]).toEqual([0, true, 0])
  await bed.pass(10_000)
  expect(bed.count('getJob')).toBe(1)
})

it('ends at once when it is returned while it waits', async () => {
  const { bed, job } = running()
  const items = job.progress({ sinceSeq: 3 })[Symbol.asyncIterator]()
  const next = items.next()
  await settled()
  expect(await items.return?.()).toEqual({ done: true, value: undefined })
  expect([await next, await items.next(), bed.left()]).toEqual([
    { done: true, value: undefined },
    { done: true, value: undefined },
    0,
  ])
})

it('reads no more than its reader asks for', async () => {
  const { bed, job } = running()
  const items = job.progress()[Symbol.asyncIterator]()
  await items.next()
  for (let n = 0; n < 600; n++) {
    bed.progress(1)
    bed.event(1)
  }
  await bed.pass(10_000)
  expect(bed.count('getJob')).toBe(1)
  for (let n = 0; n < 2; n++) await items.next()
  expect(await items.next()).toMatchObject({ value: { seq: 104, missed: 100 } })
  await items.return?.()
})

it('throws where the job cannot be read', async () => {
  const { bed } = running()
  const items = bed.tools.job(idOf(9)).progress()[Symbol.asyncIterator]()
  await expect(items.next()).rejects.toMatchObject({ code: 'job_not_found' })
  expect(bed.left()).toBe(0)
})

verifies('design.sdk.job.result', 'waits for the result of a job that it did not start', async () => {
  const { bed, job } = running()
  const heard: number[] = []
  const result = job.result({ sinceSeq: 2, onProgress: ({ seq }) => heard.push(seq) })
  await settled()
  bed.progress(1)
  bed.end(1, 'succeeded', { result: { built: true } })
  bed.event(1)
  expect(await result).toEqual({ built: true })
  expect(await job.result()).toEqual({ built: true })
  expect([heard, bed.left()]).toEqual([[3, 4], 0])
})

it.each([true, false])('cancels the job at an abort of the wait (aborted before: %s)', async (before) => {
  const { bed, job } = running()
  const stop = new AbortController()
  if (before) stop.abort()
  const result = job.result({ signal: stop.signal }).catch((error) => error.code)
  stop.abort()
  expect(await result).toBe('cancelled')
  await settled()
  expect([bed.job(1).state, bed.left(stop.signal)]).toEqual(['cancelled', 0])
})

it('cancels with a reason, and tells how a job ended that had', async () => {
  const { bed, job } = running()
  expect(await job.cancel('enough')).toEqual({ jobId: idOf(1), state: 'cancelled', cancelled: true })
  expect(bed.job(1).error).toEqual({ code: 'cancelled', message: 'enough' })
  expect(await job.cancel()).toEqual({ jobId: idOf(1), state: 'cancelled', cancelled: false })
  bed.answer = () => refusal('host_unreachable', { retriable: true })
  await expect(job.cancel()).rejects.toMatchObject({ code: 'host_unreachable', retryable: true })
})
