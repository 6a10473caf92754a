import { hostCloses } from '../engine/ownership.ts'
import type { HeldRun } from './held-run.ts'

/** The runs that this host does. */
export interface ActiveRuns {
  get(id: string): HeldRun | undefined
  all(): readonly HeldRun[]
  /** Adds a run. Errors: `agent_unavailable` once the list is closed. */
  hold(held: HeldRun): void
  /** Lets go of a run that is over here, and wakes those that may be next. Twice is harmless. */
  release(held: HeldRun): void
  /** What becomes of a run that is held. */
  follow(held: HeldRun, life: Promise<void>): void
  readonly isClosed: boolean
  /** Takes up nothing more; returns what is held. */
  close(): HeldRun[]
  /** Settles when nothing is held any more. */
  empty(): Promise<void>
}

/** Opens the list of active runs. */
export function openActiveRuns(): ActiveRuns {
  const held = new Map<string, HeldRun>()
  const lives = new Set<Promise<void>>()
  let isClosed = false

  function release(run: HeldRun) {
    if (held.get(run.id) !== run) return
    held.delete(run.id)
    const { session_uuid } = run.row
    for (const other of held.values()) if (other.row.session_uuid === session_uuid) other.wake()
  }

  return {
    get: (id) => held.get(id),
    all: () => [...held.values()],
    hold(run) {
      if (isClosed) throw hostCloses()
      held.set(run.id, run)
    },
    release,
    follow(run, life) {
      const over = life.finally(() => {
        release(run)
        lives.delete(over)
      })
      lives.add(over)
    },
    get isClosed() {
      return isClosed
    },
    close() {
      isClosed = true
      return [...held.values()]
    },
    async empty() {
      await Promise.allSettled(lives)
    },
  }
}
