import { verifies } from '@svc/conformance/verifies'
import { limits as table } from '@svc/contract'
import { frozenClock } from '@svc/node/testing'
import { memoryBus, memoryStore } from '@svc/state'
import { expect } from 'vitest'
import { type HostRow, hosts } from '../../kernel/hosts.ts'
import { type JobBed, type JobBedOptions, type JobEvent, openJobBed, settled } from '../../testing/jobs.ts'
import { answered } from '../../testing/jobs-runner.ts'

const me = { userId: 'ada', appId: 'app_1' }
const all = { after: 0, limit: 500 }

/** Two hosts over one store and bus, each with a clock of its own: one whose clock stands still is silent. */
function openTwo(a: JobBedOptions = {}, b: JobBedOptions = {}) {
  const store = memoryStore()
  const bus = memoryBus({ clock: frozenClock() })
  const events: JobEvent[] = []
  const shared = { store, bus, events }
  const beds = { a: openJobBed({ ...shared, ...a }), b: openJobBed({ ...shared, ...b }) }
  const hostRows = async () => (await store.scan(hosts, 'byBeat', { limit: 9 })).rows.map(({ row }) => row)
  return { ...beds, store, bus, events, hostRows }
}

/** Lets time go by for one host, with its sweeper. */
async function live(bed: JobBed, ms: number) {
  for (let gone = 0; gone < ms; gone += table.REAPER_INTERVAL_MS) {
    await bed.clock.advance(table.REAPER_INTERVAL_MS)
    await bed.jobs.sweep()
  }
  await settled()
}

verifies(
  ['decision.host_crash.running', 'decision.host_crash.fenced', 'decision.job.silent_losers'],
  'a job of a host that fell silent fails once, and what that host says later is refused',
  async () => {
    const { a, b } = openTwo()
    const id = await a.start()
    await settled()
    const lost = a.runner.of(id)
    lost.tell(1)
    await live(b, table.HOST_DEAD_MS - 1_000)
    expect((await b.jobs.get(me, id, all)).state).toBe('running')
    await live(b, 1_000)
    const ended = await b.jobs.get(me, id, all)
    expect(ended).toMatchObject({
      state: 'failed',
      lastSeq: 1,
      error: { code: 'agent_unavailable', details: { retriable: true } },
    })
    lost.tell(2)
    lost.onHeartbeat()
    lost.end(answered({ late: true }))
    await settled()
    expect(await b.jobs.get(me, id, all)).toEqual(ended)
    expect(a.eventsOf(id)).toEqual(['queued:0', 'running:0', 'progress:1', 'failed:1'])
    expect(b.runner.started).toHaveLength(0)
    await a.close()
    await b.close()
  },
)

verifies(
  'decision.host_crash.fenced',
  'progress of a buried host that heard nothing yet is refused by the journal',
  async () => {
    const { a, b, bus } = openTwo()
    const { publish } = bus
    bus.publish = async () => {}
    const id = await a.start()
    await settled()
    await live(b, table.HOST_DEAD_MS)
    expect((await b.row(id)).state).toBe('failed')
    const lost = a.runner.of(id)
    expect(lost.signal.aborted).toBe(false)
    lost.tell('late')
    await settled()
    expect(lost.signal.aborted).toBe(true)
    expect((await b.jobs.get(me, id, all)).progress).toEqual([])
    expect(a.eventsOf(id).at(-1)).toBe('failed:0')
    bus.publish = publish
    await a.close()
    await b.close()
  },
)

verifies(
  ['decision.host_crash.waiting', 'decision.host_crash.fenced'],
  'jobs that waited at a dead host are run by another in their order; the old one does not start them',
  async () => {
    const { a, b, bus } = openTwo({ limits: { JOBS_RUNNING_PER_RUNNER: 1, RUNNER_QUEUE_MAX: 4 } })
    bus.publish = async () => {}
    const ids: string[] = []
    for (let n = 0; n < 3; n += 1) {
      ids.push(await a.start({ args: { n } }))
      await a.clock.advance(1)
    }
    await live(b, table.HOST_DEAD_MS)
    const [first = '', second = '', third = ''] = ids
    expect(b.runner.started.map(({ jobId, args }) => [jobId, args])).toEqual([
      [second, { n: 1 }],
      [third, { n: 2 }],
    ])
    a.runner.of(first).end(answered({}))
    await settled()
    await a.jobs.sweep()
    await settled()
    expect(a.runner.started).toHaveLength(1)
    b.runner.of(second).end(answered({ by: 'b' }))
    await settled()
    expect(await a.jobs.get(me, second, all)).toMatchObject({ state: 'succeeded', result: { by: 'b' } })
    expect(a.eventsOf(second)).toEqual(['queued:0', 'running:0', 'succeeded:0'])
    await a.close()
    await b.close()
  },
)

verifies.each(['decision.host_crash.waiting'])([
  ['has not the plugin', { hasPlugin: false }, 0],
  ['has no place', { limits: { JOBS_RUNNING_PER_RUNNER: 0, RUNNER_QUEUE_MAX: 0 } }, 0],
  ['has one place', { limits: { JOBS_RUNNING_PER_RUNNER: 1, RUNNER_QUEUE_MAX: 0 } }, 1],
])('a host that %s leaves the jobs in the queue, where their deadline finds them', async (_why, b, runs) => {
  const two = openTwo({ limits: { JOBS_RUNNING_PER_RUNNER: 0, RUNNER_QUEUE_MAX: 4 } }, b)
  const ids = [await two.a.start({ timeoutMs: 60_000 }), await two.a.start({ timeoutMs: 60_000 })]
  await live(two.b, table.HOST_DEAD_MS + 1_000)
  expect(two.b.runner.started).toHaveLength(runs)
  expect((await two.b.row(ids[1] ?? '')).state).toBe('queued')
  await live(two.b, 60_000)
  expect((await two.b.row(ids[1] ?? '')).state).toBe('expired')
  await two.a.close()
  await two.b.close()
})

verifies(
  ['decision.host_crash.waiting', 'decision.host_crash.fenced'],
  'a host that was held up asks whether it was buried before it starts the next job',
  async () => {
    const { a, b, bus } = openTwo({ limits: { JOBS_RUNNING_PER_RUNNER: 1, HOST_BEAT_MS: 2 ** 40 } })
    bus.publish = async () => {}
    const [first, second] = [await a.start(), await a.start()]
    await settled()
    await b.clock.advance(table.HOST_DEAD_MS)
    await b.parts.hosts.markDead()
    await a.clock.advance(table.HOST_DEAD_MS)
    a.runner.of(first).end(answered({}))
    await settled()
    expect(a.runner.started).toHaveLength(1)
    expect((await b.row(second)).state).toBe('queued')
    await a.close()
    await b.close()
  },
)

verifies(
  'decision.host_crash.fenced',
  'a host that comes back works on under a new epoch, and its row goes once it is dead and empty',
  async () => {
    const { a, b, hostRows } = openTwo()
    const lost = await a.start()
    await settled()
    await live(b, table.HOST_DEAD_MS)
    expect(await hostRows()).toEqual([{ epoch: 2, beat_at: 0 }])
    await live(a, table.HOST_DEAD_MS)
    expect((await hostRows())[0]?.epoch).toBe(2)
    const next = await a.start()
    await settled()
    expect([(await a.row(lost)).state, (await a.row(next)).owner.epoch]).toEqual(['failed', 2])
    await a.close()
    await live(b, 1_000)
    expect((await b.row(next)).state).toBe('failed')
    await live(b, 1_000)
    expect(await hostRows()).toEqual([] satisfies HostRow[])
    await b.close()
  },
)

verifies(
  ['decision.host_crash.closed', 'decision.host_crash.waiting'],
  'a host that closes fails what runs, and what waits goes to another at once',
  async () => {
    const { a, b } = openTwo({ limits: { JOBS_RUNNING_PER_RUNNER: 1 } })
    const [runs, waits] = [await a.start(), await a.start()]
    await settled()
    const { signal } = a.runner.of(runs)
    await a.close()
    expect(signal.reason).toBe('the host that ran this job was closed')
    expect(await b.row(runs)).toMatchObject({
      state: 'failed',
      error: { code: 'agent_unavailable', details: { retriable: true } },
    })
    await b.jobs.sweep()
    await settled()
    expect(b.runner.started.map(({ jobId }) => jobId)).toEqual([waits])
    await expect(a.start()).rejects.toMatchObject({ code: 'agent_unavailable' })
    await b.close()
    expect([a.clock.timers, b.clock.timers]).toEqual([0, 0])
  },
)

verifies(
  ['decision.cancel.wins', 'job.cancel.immediate'],
  'a job is cancelled through any host, and its own stops it with the reason',
  async () => {
    const { a, b } = openTwo()
    const id = await a.start()
    await settled()
    a.runner.of(id).tell(1)
    await settled()
    expect(await b.jobs.cancel(me, id, 'enough')).toMatchObject({ cancelled: true })
    await settled()
    expect(a.runner.of(id).signal.reason).toBe('enough')
    expect(a.eventsOf(id).at(-1)).toBe('cancelled:1')
    await a.close()
    await b.close()
  },
)

verifies(
  ['decision.host_crash.fenced', 'decision.tool_job.last'],
  'progress that comes in while another host ends the job stays before the end, and what comes later is refused',
  async () => {
    const { a, b, bus } = openTwo()
    bus.publish = async () => {}
    const id = await a.start()
    await settled()
    const running = a.runner.of(id)
    running.tell(1)
    await settled()
    const { read } = bus.journal
    bus.journal.read = async (...asked) => {
      bus.journal.read = read
      const batch = await read(...asked)
      running.tell('at the last moment')
      await settled()
      return batch
    }
    await b.jobs.cancel(me, id)
    running.tell('late')
    await settled()
    expect(a.eventsOf(id).slice(-2)).toEqual(['progress:2', 'cancelled:1'])
    expect((await b.jobs.get(me, id, all)).progress.map(({ data }) => data)).toEqual([1])
    expect(running.signal.aborted).toBe(true)
    await a.close()
    await b.close()
  },
)

verifies(
  'decision.host_crash.fenced',
  'a job that another host took over is cancelled there, through the one that does not know it yet',
  async () => {
    const { a, b } = openTwo({ limits: { JOBS_RUNNING_PER_RUNNER: 0, HOST_BEAT_MS: 2 ** 40 } })
    const id = await a.start()
    await live(b, table.HOST_DEAD_MS)
    b.runner.of(id).tell(1)
    await settled()
    expect(await a.jobs.cancel(me, id, 'enough')).toMatchObject({ cancelled: true })
    await settled()
    expect(b.runner.of(id).signal.reason).toBe('enough')
    expect(await b.jobs.get(me, id, all)).toMatchObject({ lastSeq: 1, progress: [{ seq: 1, data: 1 }] })
    expect(b.eventsOf(id).at(-1)).toBe('cancelled:1')
    await a.close()
    await b.close()
  },
)

verifies('job.cancel.immediate', 'where the word to stop is lost, the next heartbeat finds out', async () => {
  const { a, b, bus } = openTwo()
  bus.publish = async () => {
    throw new Error('the bus is away')
  }
  const id = await a.start()
  await settled()
  expect(await b.jobs.cancel(me, id)).toMatchObject({ cancelled: true })
  const running = a.runner.of(id)
  expect(running.signal.aborted).toBe(false)
  running.onHeartbeat()
  await settled()
  expect(running.signal.aborted).toBe(true)
  await a.close()
  await b.close()
})
