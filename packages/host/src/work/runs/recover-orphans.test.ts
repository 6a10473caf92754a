import { verifies } from '@svc/conformance/verifies'
import { limits } from '@svc/contract'
import { frozenClock } from '@svc/node/testing'
import type { Store } from '@svc/state'
import { memoryStore } from '@svc/state'
import { expect } from 'vitest'
import { runs as runRows } from '../../catalog/run-row.ts'
import { hosts as hostRows } from '../../kernel/hosts.ts'
import { kindsOf, openRunBed, settled } from '../../testing/runs.ts'

/** Two hosts, each with its own clock: the one that is let fall behind is dead for the other. */
async function openTwo() {
  const a = openRunBed()
  const b = openRunBed({ store: a.store, bus: a.bus, clock: frozenClock() })
  const session = await a.session()
  return { a, b, session }
}

verifies(
  ['decision.host_crash.run', 'stream.end', 'run.end'],
  'what a dead host ran and what waited there fails, with its frames so far, and is not done again',
  async () => {
    const { a, b, session } = await openTwo()
    const running = await a.start(session)
    const queued = await a.start(session)
    await settled(6)
    a.model.open()[0]?.say('so far')
    await settled(2)
    await b.clock.advance(limits.HOST_DEAD_MS)
    await b.runs.sweep()
    expect(kindsOf(await b.frames(running.stream_id))).toEqual([
      'queued',
      'started',
      'run_meta',
      'content',
      'error internal_error',
      'end',
    ])
    expect((await b.frames(running.stream_id)).at(-2)).toMatchObject({
      message: expect.stringMatching(/died/),
    })
    expect(kindsOf(await b.frames(queued.stream_id))).toEqual(['queued', 'error internal_error', 'end'])
    expect(b.model.talks).toEqual([])
    expect(await a.row(session, running.run_id)).toMatchObject({ state: 'failed', stream_closed: true })
    await a.close()
    await b.close()
  },
)

verifies(
  ['decision.host_crash.run_fenced', 'decision.run.one_end'],
  'a host that was taken for dead writes nothing more, and gives its request up',
  async () => {
    const { a, b, session } = await openTwo()
    const { stream_id, run_id } = await a.start(session)
    await settled(6)
    await b.clock.advance(limits.HOST_DEAD_MS)
    await b.runs.sweep()
    const frames = await b.frames(stream_id)
    const [talk] = a.model.open()
    talk?.say('late')
    await settled(4)
    expect(talk?.signal.aborted).toBe(true)
    expect(await a.frames(stream_id)).toEqual(frames)
    expect(await a.row(session, run_id)).toMatchObject({ state: 'failed', stream_closed: true })
    await a.runs.sweep()
    await a.close()
    expect(await b.frames(stream_id)).toEqual(frames)
    expect(a.clock.timers).toBe(0)
    await b.close()
  },
)

verifies('decision.host_crash.run', 'a host whose row was forgotten is dead, too', async () => {
  const { a, b, session } = await openTwo()
  const { stream_id } = await a.start(session)
  await settled(6)
  for (const { id, revision } of (await a.store.scan(hostRows, 'byBeat', { limit: 9 })).rows)
    await a.store.remove(hostRows, id, revision)
  await b.runs.sweep()
  expect(kindsOf(await b.frames(stream_id)).at(-1)).toBe('end')
  await a.close()
  await b.close()
})

verifies('decision.host_crash.run', 'a host that lives keeps its runs, whoever sweeps', async () => {
  const { a, b, session } = await openTwo()
  const { stream_id } = await a.start(session)
  await settled(6)
  for (const bed of [a, b, a]) await bed.runs.sweep()
  expect(kindsOf(await b.frames(stream_id)).at(-1)).toBe('run_meta')
  await a.close()
  await b.close()
})

verifies('decision.run.one_end', 'ten sweeps at once write one end', async () => {
  const { a, b, session } = await openTwo()
  const { stream_id } = await a.start(session)
  await settled(6)
  await b.clock.advance(limits.HOST_DEAD_MS)
  await Promise.all(Array.from({ length: 10 }, () => b.runs.sweep()))
  expect(kindsOf(await b.frames(stream_id)).filter((kind) => kind === 'end')).toHaveLength(1)
  await a.close()
  await b.close()
})

verifies(
  ['decision.host_crash.run', 'run.end'],
  'a run whose insert was done and not answered ends by the sweep of its own host',
  async () => {
    const under = memoryStore()
    let deaf = true
    const store: Store = {
      ...under,
      async insert(collection, id, row, options) {
        const inserted = await under.insert(collection, id, row, options)
        if ((collection as unknown) !== runRows || !deaf) return inserted
        deaf = false
        throw new Error('the answer was lost')
      },
    }
    const bed = openRunBed({ store })
    const session = await bed.session()
    const run_id = '0f8fad5b-d9cb-469f-a165-70867728950e'
    await expect(bed.start(session, { run_id })).rejects.toThrow('the answer was lost')
    expect((await bed.used())?.runs).toBe(0)
    await bed.runs.sweep()
    const { stream_id } = await bed.start(session, { run_id })
    expect(kindsOf(await bed.frames(stream_id))).toEqual(['error internal_error', 'end'])
    await bed.close()
  },
)
