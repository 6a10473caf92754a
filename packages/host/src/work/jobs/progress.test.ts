import { verifies } from '@svc/conformance/verifies'
import { limits } from '@svc/contract'
import { expect } from 'vitest'
import { openJobBed, settled } from '../../testing/jobs.ts'
import { answered } from '../../testing/jobs-runner.ts'

const me = { userId: 'ada', appId: 'app_1' }

async function running(options: Parameters<typeof openJobBed>[0] = {}) {
  const bed = openJobBed(options)
  const id = await bed.start()
  await settled()
  const read = (after: number, limit = 500) => bed.jobs.get(me, id, { after, limit })
  const seqs = async (after: number, limit = 500) => (await read(after, limit)).progress.map(({ seq }) => seq)
  return { bed, id, job: bed.runner.of(id), read, seqs }
}
const span = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, at) => first + at)

verifies(
  ['job.progress.kept', 'decision.progress.numbers', 'decision.progress.hole', 'decision.progress.dropped'],
  'of 10 000 the latest 500 are kept, under their numbers, while it runs and after it',
  async () => {
    const { bed, job, read, seqs } = await running()
    for (let n = 1; n <= 10_000; n += 1) {
      job.tell({ n })
      if (n % 7 === 0) job.onDropped(1)
      if (n % 1_000 === 0) await settled()
    }
    for (const state of ['running', 'succeeded']) {
      const { progress, ...rest } = await read(0)
      expect(rest).toMatchObject({ state, lastSeq: 10_000, progressDropped: 1_428 })
      expect(progress.map(({ seq }) => seq)).toEqual(span(9_501, 10_000))
      expect(progress.every(({ seq, data }) => (data as { n: number }).n === seq)).toBe(true)
      expect(await seqs(9_990, 3)).toEqual([9_991, 9_992, 9_993])
      expect(await seqs(0, 2)).toEqual([9_501, 9_502])
      job.end(answered({}))
      await settled()
    }
    expect(bed.events.map(({ seq }) => seq).at(-1)).toBe(10_000)
    await bed.close()
  },
)

verifies(
  ['wall.jobs.kept', 'decision.progress.hole'],
  'of a job that has ended the last progress is kept that has room; a running one keeps all',
  async () => {
    const item = `{"type":"progress","data":"${'x'.repeat(100)}"}`
    const { bed, job, seqs } = await running({ limits: { PROGRESS_ENDED_MAX_BYTES: 3 * item.length } })
    for (let n = 1; n <= 9; n += 1) job.tell('x'.repeat(100))
    await settled()
    expect(await seqs(0)).toEqual(span(1, 9))
    job.end(answered({}))
    await settled()
    expect(await seqs(0)).toEqual([7, 8, 9])
    expect(await seqs(7)).toEqual([8, 9])
    await bed.close()
  },
)

verifies.each(['decision.progress.since', 'decision.progress.numbers'])([
  [0, [1, 2, 3]],
  [2, [3]],
  [3, []],
  [4, []],
  [Number.MAX_SAFE_INTEGER, []],
])('after sinceSeq %i comes %j', async (after, expected) => {
  const { bed, job, seqs } = await running()
  for (const n of [1, 2, 3]) job.tell(n)
  await settled()
  expect(await seqs(after)).toEqual(expected)
  job.end(answered({}))
  await settled()
  expect(await seqs(after)).toEqual(expected)
  await bed.close()
})

verifies('decision.progress.after_end', 'progress after the end is dropped', async () => {
  const { bed, id, job, read } = await running()
  job.tell(1)
  job.end(answered({}))
  await settled()
  job.tell(2)
  await settled()
  expect(await read(0)).toMatchObject({ lastSeq: 1, progress: [{ seq: 1 }] })
  expect(bed.eventsOf(id).at(-1)).toBe('succeeded:1')
  await bed.close()
})

verifies('event.tool_job', 'who listens in the process hears of progress in the same tick', async () => {
  const { bed, id, job } = await running()
  await bed.window()
  job.tell(1)
  await settled()
  expect(bed.eventsOf(id).at(-1)).toBe('progress:1')
  await bed.close()
})

verifies(
  'job.progress.kept',
  'a journal that cannot be written costs the progress, not the job',
  async () => {
    const { bed, id, job, read } = await running()
    const { journal } = bed.bus
    const append = journal.append
    journal.append = async () => {
      throw new Error('the bus is away')
    }
    job.tell(1)
    await settled()
    expect(await read(0)).toMatchObject({ lastSeq: 0, progress: [] })
    job.end(answered({}))
    await settled()
    journal.append = append
    expect(await read(0)).toMatchObject({ state: 'succeeded', lastSeq: 0, progressDropped: 1 })
    expect(bed.eventsOf(id).at(-1)).toBe('succeeded:0')
    await bed.close()
  },
)

verifies('decision.progress.numbers', 'progress that could not be written comes with the next', async () => {
  const { bed, id, job, read } = await running()
  const { journal } = bed.bus
  const append = journal.append
  journal.append = async () => {
    throw new Error('the bus is away')
  }
  for (let n = 0; n < limits.PROGRESS_KEPT + 2; n += 1) {
    job.tell(n)
    await settled()
  }
  journal.append = append
  job.tell('last')
  await settled()
  // As much waits as is kept; what came when that was full is dropped.
  expect(await read(limits.PROGRESS_KEPT)).toMatchObject({
    lastSeq: limits.PROGRESS_KEPT,
    progressDropped: 3,
  })
  job.tell('next')
  await settled()
  expect(await read(limits.PROGRESS_KEPT)).toMatchObject({ progress: [{ data: 'next' }], progressDropped: 3 })
  expect(bed.eventsOf(id).at(-1)).toBe(`progress:${limits.PROGRESS_KEPT + 1}`)
  await bed.close()
})

verifies('decision.progress.numbers', 'an append whose answer was lost leaves no double', async () => {
  const { bed, id, job, read } = await running()
  const { journal } = bed.bus
  const append = journal.append
  journal.append = async (...args) => {
    await append(...args)
    throw new Error('the answer was lost')
  }
  job.tell('first')
  await settled()
  journal.append = append
  job.tell('second')
  await settled()
  const { lastSeq, progress, progressDropped } = await read(0)
  expect([lastSeq, progress.map(({ data }) => data)]).toEqual([2, ['first', 'second']])
  expect(progressDropped).toBe(0)
  expect(bed.eventsOf(id).at(-1)).toBe('progress:2')
  await bed.close()
})

verifies(
  'decision.progress.numbers',
  'what stands is told also where the write then breaks off',
  async () => {
    const { bed, id, job, read } = await running()
    const { journal } = bed.bus
    const append = journal.append
    // The answer to the first is lost; of the second write only the look at what stands succeeds.
    const answers: ('lost' | 'true' | 'away')[] = ['lost', 'true', 'away', 'away']
    journal.append = async (...args) => {
      const answer = args[0].includes('life') ? 'true' : answers.shift()
      if (answer === 'away') throw new Error('the bus is away')
      const written = await append(...args)
      if (answer === 'lost') throw new Error('the answer was lost')
      return written
    }
    job.tell('first')
    await settled()
    expect(bed.eventsOf(id).filter((told) => told.startsWith('progress'))).toEqual([])
    job.tell('second')
    await settled()
    expect(bed.eventsOf(id).filter((told) => told.startsWith('progress'))).toEqual(['progress:1'])
    job.onHeartbeat()
    await settled()
    expect(await read(0)).toMatchObject({ lastSeq: 1, progressDropped: 1 })
    journal.append = append
    job.tell('third')
    await settled()
    expect(bed.eventsOf(id).filter((told) => told.startsWith('progress'))).toEqual([
      'progress:1',
      'progress:2',
      'progress:3',
    ])
    expect(await read(0)).toMatchObject({ lastSeq: 3, progressDropped: 0 })
    await bed.close()
  },
)
