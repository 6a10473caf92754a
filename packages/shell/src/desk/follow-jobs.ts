import { BridgeError } from '@svc/bridge'
import { job as table } from '@svc/contract/states'
import { everySecond } from '../state/every-second.ts'
import { gatherNews } from '../state/gather-news.ts'
import { isActive } from '../state/job.ts'
import { hasLeft, type JobsTold, jobNews, takeJobs } from '../state/jobs.ts'
import { createPace } from '../state/pace.ts'
import type { DeskParts } from '../state/parts.ts'
import { signInAgain } from '../windows/sign-in.ts'

/** A heartbeat is no event, and a job of another page may send none here: the open panel asks this often. */
export const READ_OPEN_MS = 2_000
/** While the panel is shut, and as long as a job is active. */
export const READ_SHUT_MS = 5_000
/** A host's date counts whole seconds: a smaller difference of clocks is none. */
const SKEW_MIN_MS = 2_000

/** The panel in which jobs stand. */
export const JOBS_PANEL = 'jobs'

/** Keeps the list of jobs true. */
export interface JobFollower {
  /** Reads all of the list now, or as soon as the reading under way is over. */
  read(): void
  stop(): void
}

/**
 * Reads the user's jobs when they may have changed: at the sign-in, when the bridge hears of a job, of the host's
 * return or of lost events, when the panel opens, and time and again while it is open or a job is active. The host's list is the one
 * truth: an event only says that it is worth reading, so a lost one costs a moment and never a wrong bar. Ended jobs
 * do not change and may have long results, so they are read only when one more may have ended.
 */
export function followJobs(parts: DeskParts): JobFollower {
  const { api, bridge, store, now, later, say } = parts
  const news = gatherNews(later, say, 'jobs')
  const seen = { in: false, open: false }
  let over = false
  /** The ended jobs are to be read too. */
  let whole = true
  /** How far the host's clock is ahead of ours, in ms. */
  let skew = 0
  /** Counts who is signed in: what was asked for somebody before is dropped. */
  let turn = 0

  const jobs = () => store.get().jobs
  const anyActive = () => jobs().list.some(isActive)

  const tick = everySecond(parts, {
    wanted: () => !over && seen.open && anyActive(),
    work: () => store.set((state) => ({ ...state, jobs: { ...state.jobs, shownAt: now() + skew } })),
  })
  const pace = createPace(parts, async () => {
    if (!seen.in) return null
    const mine = turn
    try {
      const active = await api.jobs(table.active)
      if (mine === turn) await readEnded(active, mine)
    } catch (error) {
      whole = true
      if (mine === turn) await fail(error)
    }
    if (seen.open) return READ_OPEN_MS
    return anyActive() ? READ_SHUT_MS : null
  })

  async function readEnded(active: Awaited<ReturnType<typeof api.jobs>>, mine: number): Promise<void> {
    const asks = whole || hasLeft(jobs(), active)
    whole = false
    const ended = asks ? await api.jobs(table.terminal) : null
    if (mine === turn) take({ active, ended }, active.date)
  }

  function readWhole(): void {
    whole = true
    pace.read()
  }

  function take(told: JobsTold, date: number | null): void {
    const ahead = date === null ? 0 : date - now()
    skew = Math.abs(ahead) < SKEW_MIN_MS ? 0 : ahead
    const before = jobs()
    const after = takeJobs(before, told, now() + skew)
    store.set((state) => ({ ...state, jobs: after }))
    news.add(jobNews(before, after, store.get().apps))
    tick()
  }

  async function fail(error: unknown): Promise<void> {
    const problem = error instanceof Error ? error.message : String(error)
    store.set((state) => ({ ...state, jobs: { ...state.jobs, problem } }))
    if (error instanceof BridgeError && error.code === 'invalid_token') await signInAgain(parts)
  }

  /** Looks who is signed in and what is open. */
  function look(): void {
    const { signIn, panel } = store.get()
    const before = { ...seen }
    seen.in = signIn.phase === 'in'
    seen.open = panel === JOBS_PANEL
    if (before.in && !seen.in) {
      turn += 1
      news.forget()
    }
    if ((seen.in && !before.in) || (seen.open && !before.open)) readWhole()
  }

  const stops = [
    store.subscribe(look),
    bridge.on('tool_job', ({ terminal }) => {
      whole ||= terminal
      pace.soon()
    }),
    bridge.on('host_lost', () => {
      const problem = 'the host is gone'
      store.set((state) => ({ ...state, jobs: { ...state.jobs, problem } }))
    }),
    bridge.on('host_back', readWhole),
    bridge.on('reset', readWhole),
  ]
  look()

  return {
    read: readWhole,
    stop() {
      over = true
      turn += 1
      pace.stop()
      for (const stop of stops) stop()
    },
  }
}
