import { isActive, runs } from '../../catalog/run-row.ts'
import { bestEffort } from '../engine/best-effort.ts'
import { frameText } from './chunks.ts'
import { cancelled, ended, lifetimeReached } from './ending.ts'
import type { HeldRun } from './held-run.ts'
import type { RunParts } from './runs.ts'

/** Reads the row of a run again: who cancelled it, or took its host for dead, has ended it there. */
export async function checkRow(parts: RunParts, held: HeldRun): Promise<void> {
  await bestEffort(parts, 'whether a run was cancelled is looked up again', async () => {
    const record = await parts.store.get(runs, held.id)
    if (!record || !isActive(record.row)) held.stop(ended)
  })
}

/** Moves the idle end of its session. If the session has ended and nobody notified this host, the run ends here. */
export async function extendSession({ clock, sessions }: RunParts, held: HeldRun): Promise<void> {
  const { session } = held.order
  if (!session || (await sessions.slide(session.id))) return
  held.stop(clock.now() >= session.row.max_lifetime_at ? lifetimeReached : cancelled)
}

const KEEPALIVE = frameText({ event: 'keepalive' })

/**
 * Checks a run each `RUN_CHECK_MS`: writes keepalive frames, ends it with its session, reads its row. Returns a
 * function that stops this.
 */
export function watchRun(parts: RunParts, held: HeldRun): () => void {
  const { clock, limits } = parts
  const dueAt = held.order.session?.row.max_lifetime_at ?? Number.POSITIVE_INFINITY
  let stopTimer = () => {}

  const check = () => {
    const now = clock.now()
    if (now >= dueAt) held.stop(lifetimeReached)
    else if (now - held.frameWriter.wroteAt() >= limits.RUN_KEEPALIVE_MS) held.frameWriter.write(KEEPALIVE)
    void checkRow(parts, held)
    plan()
  }
  const plan = () => {
    stopTimer = clock.setTimer(check, limits.RUN_CHECK_MS)
  }
  plan()
  return () => stopTimer()
}
