import { rounds } from '@svc/conformance/rounds'
import { verifies } from '@svc/conformance/verifies'
import { type ErrorCode, limits as table } from '@svc/contract'
import { job } from '@svc/contract/states'
import { frozenClock } from '@svc/node/testing'
import { memoryBus } from '@svc/state'
import type { NextWrites } from '@svc/state/testing'
import fc from 'fast-check'
import { expect } from 'vitest'
import { type JobBed, type JobEvent, openJobBed, settled } from '../../testing/jobs.ts'
import { type Machines, openMachines } from '../../testing/jobs-machines.ts'
import { answered, type RunningJob } from '../../testing/jobs-runner.ts'
import { openWatchedStore } from '../../testing/jobs-store.ts'

const RUNS = rounds(20_000)
const DEADLINE_MS = 60_000
const MACHINE = 'rnr_1'
const me = { userId: 'ada', appId: 'app_1' }

interface Scene {
  readonly a: JobBed
  readonly b: JobBed
  readonly id: string
  readonly job: RunningJob
  readonly machines: Machines
  readonly next: NextWrites
}

const fail =
  (code: ErrorCode) =>
  ({ job }: Scene) =>
    job.end({ ok: false, code: code as 'tool_failed', message: code })

/** What may happen to a running job, in any order and at any distance. */
const happenings = {
  result: ({ job }: Scene) => job.end(answered({ ok: 1 })),
  failure: fail('tool_failed'),
  oversize: fail('result_too_large'),
  crashOfPlugin: fail('plug_error'),
  progress: ({ job }: Scene) => job.tell({ n: 1 }),
  heartbeat: ({ job }: Scene) => job.onHeartbeat(),
  cancelHere: ({ a, id }: Scene) => a.jobs.cancel(me, id, 'here'),
  cancelThere: ({ b, id }: Scene) => b.jobs.cancel(me, id, 'there'),
  read: ({ b, id }: Scene) => b.jobs.get(me, id, { after: 0, limit: 10 }),
  deadline: ({ a }: Scene) => a.clock.advance(DEADLINE_MS),
  sweepHere: ({ a }: Scene) => a.jobs.sweep(),
  sweepThere: ({ b }: Scene) => b.jobs.sweep(),
  hostSilent: ({ a, b }: Scene) => {
    void a.clock.advance(table.HOST_DEAD_MS)
    return b.jobs.sweep()
  },
  linkLost: ({ a }: Scene) => a.runners.cut(MACHINE),
  linkBackHere: ({ a, machines }: Scene) => machines.isRevoked(MACHINE) || a.runners.connect(MACHINE),
  linkBackThere: ({ b, machines }: Scene) => machines.isRevoked(MACHINE) || b.runners.connect(MACHINE),
  revoked: ({ b, machines }: Scene) => {
    machines.revoke(MACHINE)
    return b.jobs.reconcile('ada', MACHINE)
  },
  lostSwap: ({ next }: Scene) => {
    next.lose += 1
  },
  brokenStore: ({ next }: Scene) => {
    next.fail += 1
  },
} as const
type Happening = keyof typeof happenings

const script = fc.array(
  fc.tuple(fc.constantFrom(...(Object.keys(happenings) as Happening[])), fc.nat({ max: 12 })),
  { minLength: 1, maxLength: 8 },
)

async function play(isRemote: boolean, steps: readonly (readonly [Happening, number])[]) {
  const clock = frozenClock()
  const { store, ended, next } = openWatchedStore()
  const events: JobEvent[] = []
  const limits = { HOST_BEAT_MS: 2 ** 40 }
  const machines = openMachines()
  const shared = { clock, store, events, limits, machines, bus: memoryBus({ clock }) }
  const [a, b] = [openJobBed(shared), openJobBed(shared)]
  const { runner } = isRemote ? a.runners.connect(MACHINE) : a
  const id = await a.start({ timeoutMs: DEADLINE_MS, ...(isRemote && { on: [MACHINE] }) })
  for (let turns = 0; runner.started.length === 0 && turns < 200; turns += 1) await Promise.resolve()
  const scene = { a, b, id, next, machines, job: runner.of(id) }
  const under: unknown[] = []
  for (const [name, turns] of steps) {
    // A caller whose store broke is told so; the job must end all the same.
    under.push(Promise.resolve(happenings[name](scene)).catch(() => {}))
    for (let turn = 0; turn < turns; turn += 1) await Promise.resolve()
  }
  await Promise.all(under)
  await settled()
  next.fail = 0
  void clock.advance(DEADLINE_MS)
  await a.jobs.sweep()
  await b.jobs.sweep()
  await settled()
  const { state, args } = await a.row(id)
  const starts = [a, b].flatMap(({ runner, runners }) => [runner, ...runners.made.map((link) => link.runner)])
  await a.close()
  await b.close()
  return {
    state,
    args,
    ended: ended.get(id),
    told: a.eventsOf(id),
    lastTold: events.at(-1),
    starts: starts.flatMap(({ started }) => started).length,
  }
}

verifies(
  [
    'decision.job.one_end',
    'decision.job.winner_tells',
    'decision.job.silent_losers',
    'decision.runner.job_fenced',
  ],
  'whatever happens to a job in whatever order, it ends once and says so once, last of all',
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.boolean(), script, async (isRemote, steps) => {
        const { state, args, ended, told, lastTold, starts } = await play(isRemote, steps)
        expect(ended).toEqual([state])
        expect(args).toBeNull()
        expect(starts).toBe(1)
        expect(job.terminal.has(state)).toBe(true)
        expect(told.filter((event) => job.terminal.has(event.split(':')[0] as never))).toHaveLength(1)
        expect(lastTold).toMatchObject({ state, event: state, terminal: true })
      }),
      { numRuns: RUNS },
    )
  },
)
