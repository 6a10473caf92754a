import { rounds } from '@svc/conformance/rounds'
import { verifies } from '@svc/conformance/verifies'
import { limits, Refusal } from '@svc/contract'
import { frozenClock } from '@svc/node/testing'
import type { Store } from '@svc/state'
import { memoryStore } from '@svc/state'
import fc from 'fast-check'
import { expect } from 'vitest'
import { ADA, openSessionBed, type SessionBed, testRuns } from '../../testing/sessions.ts'
import { sessions as rows, type SessionRow } from './session-row.ts'

const RUNS = rounds(10_000)
const { AGENT_IDLE_TTL_MS: IDLE, AGENT_MAX_LIFETIME_MS: MOST } = limits

/** How far a session has come: nothing leads back. */
const stages = ['active', 'expired', 'revoked', 'gone'] as const
type Stage = (typeof stages)[number]
const rank = (stage: Stage) => stages.indexOf(stage)

const stageOf: ReadonlyMap<string, Stage> = new Map([
  ['APP_SESSION_EXPIRED', 'expired'],
  ['APP_SESSION_REVOKED', 'revoked'],
])

/** What one caller was told, between two moments. */
interface Told {
  readonly stage: Stage
  readonly asked: number
  readonly answered: number
  readonly time: number
  /** A delete says nothing of how far it was before. */
  readonly isLeast: boolean
}

/** A store whose writes of sessions are lost, fail or are not answered when told to, and are written down. */
function openWatched() {
  const store = memoryStore()
  const next = { lose: 0, fail: 0, deafen: 0 }
  const written: SessionRow[] = []
  const takes = (what: keyof typeof next) => next[what] > 0 && next[what]-- > 0
  const swap: Store['swap'] = async (collection, id, revision, row, options) => {
    if ((collection as unknown) !== rows) return store.swap(collection, id, revision, row, options)
    if (takes('fail')) throw new Error('the store is away')
    if (takes('lose')) return { ok: false, lost: true }
    const swapped = await store.swap(collection, id, revision, row, options)
    if (swapped.ok) written.push(row as SessionRow)
    if (takes('deafen')) throw new Error('the answer was lost')
    return swapped
  }
  return { store: { ...store, swap }, next, written }
}

async function openScene() {
  const clock = frozenClock()
  const { store, next, written } = openWatched()
  const runs = testRuns()
  const beds = [openSessionBed({ clock, store, runs }), openSessionBed({ clock, store, runs })] as const
  const windowUuid = await beds[0].window()
  const { id, row } = await beds[0].create({ windowUuid })
  const told: Told[] = []
  let moment = 0
  /** Asks, and writes down how far the session had come for this caller. A store that breaks says nothing. */
  async function ask(work: () => Promise<Stage>, isLeast = false): Promise<Stage | null> {
    const [asked, time] = [moment++, clock.now()]
    const stage = await work().catch((error: unknown) => {
      if (!(error instanceof Refusal)) return null
      return stageOf.get(error.code) ?? 'gone'
    })
    if (stage) told.push({ stage, asked, answered: moment++, time, isLeast })
    return stage
  }
  return { clock, store, next, written, runs, beds, windowUuid, id, row, told, ask }
}
type Scene = Awaited<ReturnType<typeof openScene>>

const active = async (promise: Promise<unknown>): Promise<Stage> => promise.then(() => 'active')

/** What may happen to a session, in any order, at any distance and on either host. */
const happenings = {
  refresh: ({ ask, id }: Scene, { sessions }: SessionBed) => ask(() => active(sessions.touch(ADA, id))),
  use: ({ ask, id }: Scene, { sessions }: SessionBed) => ask(() => active(sessions.active(ADA, id))),
  find: ({ ask, id }: Scene, { sessions }: SessionBed) =>
    ask(async () => (await sessions.find(ADA, id))?.row.state ?? 'gone'),
  list: ({ ask, id }: Scene, { sessions }: SessionBed) =>
    ask(async () => {
      const found = await sessions.list(ADA, { includeExpired: true, limit: 9 })
      return found.find((one) => one.id === id)?.row.state ?? 'gone'
    }),
  remove: ({ ask, id }: Scene, { sessions }: SessionBed) =>
    ask(async () => {
      await sessions.revoke(ADA, id)
      return 'revoked'
    }, true),
  foreign: ({ id }: Scene, { sessions }: SessionBed) => sessions.revoke({ userId: 'bob' }, id),
  uninstall: (_scene: Scene, { sessions }: SessionBed) => sessions.revokeAll('ada', 'app_1'),
  sweep: (_scene: Scene, { sessions }: SessionBed) => sessions.sweep(),
  /** As a run is accepted: judged, made, and only then counted. */
  run: async ({ ask, id, runs }: Scene, { sessions }: SessionBed) => {
    if ((await ask(() => active(sessions.active(ADA, id)))) !== 'active') return
    runs.active.set(id, (runs.active.get(id) ?? 0) + 1)
    if (!(await sessions.slide(id).catch(() => null))) runs.active.delete(id)
  },
  /** A run that finds its session gone stops, whether or not its cancel reached it. */
  step: async ({ id, runs }: Scene, { sessions }: SessionBed) => {
    if (runs.active.has(id) && !(await sessions.slide(id))) runs.active.delete(id)
  },
  runEnds: async ({ id, runs }: Scene, { sessions }: SessionBed) => {
    if (runs.active.has(id)) await sessions.slide(id)
    runs.active.delete(id)
  },
  closeWindow: ({ windowUuid }: Scene, bed: SessionBed) => bed.closeWindow(windowUuid),
  minute: ({ clock }: Scene) => clock.advance(60_000),
  halfIdle: ({ clock }: Scene) => clock.advance(IDLE / 2),
  idle: ({ clock }: Scene) => clock.advance(IDLE),
  day: ({ clock }: Scene) => clock.advance(MOST),
  lostSwap: ({ next }: Scene) => void next.lose++,
  brokenStore: ({ next }: Scene) => void next.fail++,
  lostAnswer: ({ next }: Scene) => void next.deafen++,
  brokenRuns: ({ runs }: Scene) => void runs.failing++,
} as const
type Happening = keyof typeof happenings
const names = [...(Object.keys(happenings) as Happening[]), 'refresh', 'sweep', 'run', 'halfIdle'] as const

const script = fc.array(fc.tuple(fc.constantFrom(...names), fc.nat({ max: 1 }), fc.nat({ max: 12 })), {
  minLength: 1,
  maxLength: 16,
})

async function play(steps: readonly (readonly [Happening, number, number])[]): Promise<Scene> {
  const scene = await openScene()
  const under: unknown[] = []
  for (const [name, host, turns] of steps) {
    const happening = async () => happenings[name](scene, scene.beds[host === 0 ? 0 : 1])
    // A caller whose store broke is told so; what stands must be one truth all the same.
    under.push(happening().catch(() => {}))
    for (let turn = 0; turn < turns; turn += 1) await Promise.resolve()
  }
  await Promise.all(under)
  Object.assign(scene.next, { lose: 0, fail: 0, deafen: 0 })
  scene.runs.failing = 0
  return scene
}

verifies(
  ['decision.session.one_update', 'session.slide', 'session.expired.call', 'session.delete.idempotent'],
  'whatever two hosts do to a session in whatever order, it ends once, is never revived, and all are told the same',
  async () => {
    await fc.assert(
      fc.asyncProperty(script, async (steps) => {
        const scene = await play(steps)
        const { clock, id, row, beds, runs, told, written } = scene
        const states = written.map(({ state }) => state)
        expect(states).toEqual([...states].sort((a, b) => rank(a) - rank(b)))
        for (const { expires_at, due_at, state } of written) {
          expect(expires_at).toBeLessThanOrEqual(row.max_lifetime_at)
          if (state === 'active') expect(due_at).toBe(expires_at)
        }
        for (const one of told) {
          if (one.time >= row.max_lifetime_at) expect(one.stage).not.toBe('active')
          for (const later of told)
            if (later.asked > one.answered && !later.isLeast)
              expect(rank(later.stage)).toBeGreaterThanOrEqual(rank(one.stage))
        }

        for (let day = 0; day < 4; day += 1) {
          await clock.advance(MOST)
          await happenings.step(scene, beds[0])
          for (const { sessions } of beds) await sessions.sweep()
        }
        expect(await beds[0].row(id)).toBeNull()
        expect(runs.forgotten).toContain(id)
        expect(runs.active.size).toBe(0)
      }),
      { numRuns: RUNS },
    )
  },
)
