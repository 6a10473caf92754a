import { rounds } from '@svc/conformance/rounds'
import { verifies } from '@svc/conformance/verifies'
import { type Frame, limits as table } from '@svc/contract'
import { frozenClock } from '@svc/node/testing'
import type { Bus } from '@svc/state'
import { memoryBus } from '@svc/state'
import fc from 'fast-check'
import { expect } from 'vitest'
import { frameJournal, runs as runRows } from '../../catalog/run-row.ts'
import type { Talk } from '../../testing/run-model.ts'
import { kindsOf, openRunBed, type RunBed, settled } from '../../testing/runs.ts'
import { openWatchedStore } from '../../testing/runs-store.ts'

const RUNS = rounds(2_000)
const LIFETIME_MS = 9_000
const limits = { AGENT_MAX_LIFETIME_MS: LIFETIME_MS, MODEL_RETRIES: 0, CONCURRENT_RUNS_DEFAULT: 3 }
const owner = { userId: 'ada', appId: 'app_1' }

/** A bus whose next frames may be refused, or written without an answer. */
function openWatchedBus() {
  const under = memoryBus({ clock: frozenClock() })
  const next = { fail: 0, deafen: 0 }
  const takes = (what: keyof typeof next) => next[what] > 0 && next[what]-- > 0
  const append: Bus['journal']['append'] = async (name, seq, items) => {
    if (takes('fail')) throw new Error('the bus is away')
    const written = await under.journal.append(name, seq, items)
    if (takes('deafen')) throw new Error('the answer was lost')
    return written
  }
  return { bus: { ...under, journal: { ...under.journal, append } }, nextFrames: next }
}

/** Hosts over one store and bus, and the sessions of one user. Time goes by for those that are not silent. */
function openScene() {
  const start = frozenClock().now()
  const { store, ...watched } = openWatchedStore()
  const { bus, nextFrames } = openWatchedBus()
  const hosts: { bed: RunBed; isClosed: boolean; isSilent: boolean }[] = []
  const sessions: string[] = []
  const started: { session: string; runId: string; streamId: string }[] = []
  const cancels = new Map<string, number>()
  let gone = 0
  let count = 0

  const pick = <T>(from: readonly T[], n: number): T | undefined => from[n % from.length]
  const open = () => {
    const bed = openRunBed({ store, bus, limits, clock: frozenClock(start + gone) })
    hosts.push({ bed, isClosed: false, isSilent: false })
    return bed
  }
  const alive = () => hosts.filter(({ isClosed }) => !isClosed)
  const talks = (): Talk[] => hosts.flatMap(({ bed }) => bed.model.open())
  async function pass(ms: number): Promise<void> {
    gone += ms
    const awake = alive().filter(({ isSilent }) => !isSilent)
    for (const { bed } of awake) await bed.clock.advance(start + gone - bed.clock.now())
    for (const { bed } of awake) {
      await bed.sessions.sweep().catch(() => {})
      await bed.runs.sweep().catch(() => {})
    }
  }
  const named = () => {
    count += 1
    return `run ${count}`
  }
  return {
    ...watched,
    nextFrames,
    store,
    bus,
    hosts,
    sessions,
    started,
    cancels,
    pick,
    open,
    alive,
    talks,
    pass,
    named,
  }
}
type Scene = ReturnType<typeof openScene>

const uuid = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`

/** What may happen, in any order and at any distance; `n` says to which host, session or run. */
const happenings = {
  async start({ pick, alive, sessions, started, named }: Scene, n: number) {
    const session = pick(sessions, n >> 1) ?? ''
    const answer = await pick(alive(), n)?.bed.start(session, { content: named() })
    if (answer) started.push({ session, runId: answer.run_id, streamId: answer.stream_id })
  },
  async same({ pick, alive, sessions, started }: Scene, n: number) {
    const session = pick(sessions, n >> 1) ?? ''
    const args = { run_id: uuid(n % 3), content: `same ${n % 3} ${session}` }
    const answer = await pick(alive(), n)?.bed.start(session, args)
    if (answer) started.push({ session, runId: answer.run_id, streamId: answer.stream_id })
  },
  say: ({ pick, talks }: Scene, n: number) => pick(talks(), n)?.say('a', 'b'),
  finish: ({ pick, talks }: Scene, n: number) => pick(talks(), n)?.finish(),
  failure: ({ pick, talks }: Scene, n: number) => pick(talks(), n)?.fail(new Error('broken')),
  async cancel({ pick, alive, started, cancels }: Scene, n: number) {
    const one = pick(started, n)
    if (one && (await pick(alive(), n >> 1)?.bed.cancel(one.session, one.runId)))
      cancels.set(one.streamId, (cancels.get(one.streamId) ?? 0) + 1)
  },
  delete: ({ pick, alive, sessions }: Scene, n: number) =>
    n > 12 ? pick(alive(), n)?.bed.sessions.revoke(owner, pick(sessions, n) ?? '') : undefined,
  cap: ({ pass }: Scene, n: number) => (n > 12 ? pass(LIFETIME_MS) : undefined),
  second: ({ pass }: Scene) => pass(table.HOST_BEAT_MS),
  silence({ pick, alive }: Scene, n: number) {
    const host = pick(alive(), n)
    if (host) host.isSilent = !host.isSilent
  },
  close({ pick, alive }: Scene, n: number) {
    const host = alive().length > 1 ? pick(alive(), n) : undefined
    if (host) host.isClosed = true
    return host?.bed.close()
  },
  open: ({ open, alive }: Scene) => void (alive().length < 3 && open()),
  lostSwap: ({ next }: Scene) => void next.lose++,
  brokenStore: ({ next }: Scene) => void next.fail++,
  lostAnswer: ({ next }: Scene) => void next.deafen++,
  brokenBus: ({ nextFrames }: Scene) => void nextFrames.fail++,
  lostFrames: ({ nextFrames }: Scene) => void nextFrames.deafen++,
} as const
type Happening = keyof typeof happenings
const often = ['start', 'start', 'same', 'say', 'finish', 'cancel', 'second'] as const
const names = [...(Object.keys(happenings) as Happening[]), ...often]

const script = fc.array(fc.tuple(fc.constantFrom(...names), fc.nat({ max: 15 }), fc.nat({ max: 14 })), {
  minLength: 1,
  maxLength: 30,
})

type Script = [Happening, number, number][]
/** A host that closes while it waits to write the end of a run once more: it must not wait on. */
const closedBeforeTheRetry: Script = [
  ['open', 0, 0],
  ['start', 10, 0],
  ['start', 15, 0],
  ['cancel', 3, 8],
  ['lostAnswer', 0, 0],
  ['second', 12, 0],
  ['close', 0, 0],
]

async function play(steps: readonly (readonly [Happening, number, number])[]): Promise<Scene> {
  const scene = openScene()
  const bed = scene.open()
  scene.open()
  for (const _ of [1, 2]) scene.sessions.push(await bed.session())
  const under: unknown[] = []
  for (const [name, n, turns] of steps) {
    const happening = async () => happenings[name](scene, n)
    // A caller whose store broke, or whose host closes, is told so; every run must end all the same.
    under.push(happening().catch(() => {}))
    for (let turn = 0; turn < turns; turn += 1) await Promise.resolve()
    if (n > 11) await settled()
  }
  Object.assign(scene.next, { lose: 0, fail: 0, deafen: 0 })
  Object.assign(scene.nextFrames, { fail: 0, deafen: 0 })
  for (const host of scene.hosts) host.isSilent = false
  for (let second = 0; second < 6; second += 1) await scene.pass(table.HOST_BEAT_MS)
  await Promise.all(under)
  return scene
}

/** How the frames of a run may end, by its state. */
const ends = {
  finished: /^(task_complete,)?end$/,
  cancelled: /^(task_cancelled|error APP_SESSION_EXPIRED),end$/,
  failed: /^error \w+,end$/,
} as const
const last = (frames: readonly Frame[]) =>
  kindsOf(frames)
    .filter((kind) => /^(task_|error|end)/.test(kind))
    .join()

verifies(
  [
    'decision.run.one_end',
    'stream.end',
    'run.end',
    'decision.cancel.run',
    'design.run.order',
    'design.stream.numbered',
  ],
  'whatever hosts, callers and faults do to a run, it ends once, with one end behind frames without a hole',
  async () => {
    await fc.assert(
      fc.asyncProperty(script, async (steps) => {
        const scene = await play(steps)
        // What still runs goes on as its model says, or ends with its session.
        for (const talk of scene.talks()) talk.finish()
        await settled(8)
        await scene.pass(LIFETIME_MS)
        for (let second = 0; second < 3; second += 1) await scene.pass(table.HOST_BEAT_MS)
        await settled(4)

        const { rows } = await scene.store.scan(runRows, 'bySession', { limit: 99 })
        for (const { id, row } of rows) {
          const frames = await scene.hosts[0]?.bed.frames(row.stream_id)
          expect([id, row.stream_closed, scene.ended.get(id)]).toEqual([id, true, [row.state]])
          expect(last(frames ?? [])).toMatch(ends[row.state as keyof typeof ends])
          expect(frames?.at(-1)?.event).toBe('end')
          const cancels = scene.cancels.get(row.stream_id) ?? 0
          expect(cancels).toBeLessThanOrEqual(row.state === 'cancelled' ? 1 : 0)
        }
        for (const { streamId } of scene.started)
          expect(rows.some(({ row }) => row.stream_id === streamId)).toBe(true)
        expect(scene.mostBusy()).toBeLessThanOrEqual(1)
        const said = scene.hosts.flatMap(({ bed }) =>
          bed.model.talks.map(({ options }) => JSON.stringify(options.prompt.at(-1))),
        )
        expect(new Set(said).size).toBe(said.length)
        expect(scene.talks()).toEqual([])

        const journals = await Promise.all(
          rows.map(({ row }) => scene.bus.journal.read(frameJournal(row.stream_id), 0)),
        )
        for (const { bed } of scene.alive()) await bed.close()
        for (const { bed } of scene.hosts) expect(bed.clock.timers).toBe(0)
        const after = await Promise.all(
          rows.map(({ row }) => scene.bus.journal.read(frameJournal(row.stream_id), 0)),
        )
        expect(after).toEqual(journals)
      }),
      { timeout: 5_000, numRuns: RUNS, examples: [[closedBeforeTheRetry]] },
    )
  },
)
