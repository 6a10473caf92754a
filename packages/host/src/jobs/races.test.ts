import { verifies } from '@svc/conformance/verifies'
import { type ErrorCode, limits as table } from '@svc/contract'
import { job } from '@svc/contract/states'
import fc from 'fast-check'
import { expect } from 'vitest'
import { memoryBus } from '../bus/drivers/memory.ts'
import { frozenClock } from '../clock-frozen.ts'
import { type JobRoom, openJobRoom, settled, type Told } from './jobs-for-tests.ts'
import { answered } from './runner-for-tests.ts'
import { type NextWrites, openWatchedStore } from './store-for-tests.ts'

const RUNS = 20_000
const DEADLINE_MS = 60_000
const me = { userId: 'ada', appId: 'app_1' }

interface Scene {
  readonly a: JobRoom
  readonly b: JobRoom
  readonly id: string
  readonly next: NextWrites
}

const fail =
  (code: ErrorCode) =>
  ({ a, id }: Scene) =>
    a.runner.of(id).end({ ok: false, code: code as 'tool_failed', message: code })

/** What may happen to a running job, in any order and at any distance. */
const happenings = {
  result: ({ a, id }: Scene) => a.runner.of(id).end(answered({ ok: 1 })),
  failure: fail('tool_failed'),
  oversize: fail('result_too_large'),
  crashOfPlugin: fail('plug_error'),
  progress: ({ a, id }: Scene) => a.runner.of(id).tell({ n: 1 }),
  heartbeat: ({ a, id }: Scene) => a.runner.of(id).onHeartbeat(),
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

async function play(steps: readonly (readonly [Happening, number])[]) {
  const clock = frozenClock()
  const { store, ended, next } = openWatchedStore()
  const events: Told[] = []
  const limits = { HOST_BEAT_MS: 2 ** 40 }
  const shared = { clock, store, events, limits, bus: memoryBus({ clock }) }
  const [a, b] = [openJobRoom(shared), openJobRoom(shared)]
  const id = await a.start({ timeoutMs: DEADLINE_MS })
  const scene = { a, b, id, next }
  for (let turns = 0; a.runner.started.length === 0 && turns < 100; turns += 1) await Promise.resolve()
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
  await a.close()
  await b.close()
  return { state, args, ended: ended.get(id), told: a.toldOf(id), lastTold: events.at(-1) }
}

verifies(
  ['decision.job.one_end', 'decision.job.winner_tells', 'decision.job.silent_losers'],
  'whatever happens to a job in whatever order, it ends once and says so once, last of all',
  async () => {
    await fc.assert(
      fc.asyncProperty(script, async (steps) => {
        const { state, args, ended, told, lastTold } = await play(steps)
        expect(ended).toEqual([state])
        expect(args).toBeNull()
        expect(job.terminal.has(state)).toBe(true)
        expect(told.filter((event) => job.terminal.has(event.split(':')[0] as never))).toHaveLength(1)
        expect(lastTold).toMatchObject({ state, event: state, terminal: true })
      }),
      { numRuns: RUNS },
    )
  },
  60_000,
)
