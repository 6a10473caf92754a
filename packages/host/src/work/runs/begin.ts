import { run } from '@svc/contract/states'
import { isRunning, type RunRow, runs } from '../../catalog/run-row.ts'
import type { HeldRun } from './held-run.ts'
import { insist, type RunParts } from './parts.ts'

/**
 * Waits for the turn of a run and writes down that it runs: the oldest of its session that has not ended goes first,
 * and the cap of the write keeps two from running at once, whatever hosts they are on. `false`: it was ended before.
 */
export async function begin(parts: RunParts, held: HeldRun): Promise<boolean> {
  for (;;) {
    const tried = await insist(parts, held, () => tryOnce(parts, held))
    if (tried !== 'wait') return tried === 'begun'
    if (!held.signal.aborted) await held.wait(parts.limits.RUN_CHECK_MS)
  }
}

async function tryOnce(parts: RunParts, { id, signal }: HeldRun): Promise<'begun' | 'ended' | 'wait'> {
  const { clock, store } = parts
  const record = await store.get(runs, id)
  if (!record || signal.aborted) return 'ended'
  const { row, revision } = record
  // Nobody else starts it: this was tried before, and the answer of the store was lost.
  if (isRunning(row)) return 'begun'
  const state = run.next(row.state, 'start')
  if (state === null) return 'ended'
  if (!(await isNext(parts, id, row))) return 'wait'
  const next = { ...row, state, started_at: clock.now() }
  const swapped = await store.swap(runs, id, revision, next, { caps: oneAtATime(row) })
  return swapped.ok ? 'begun' : 'wait'
}

async function isNext({ store }: RunParts, id: string, { session_uuid }: RunRow): Promise<boolean> {
  if (session_uuid === null) return true
  const { rows } = await store.scan(runs, 'activeBySession', { eq: [session_uuid], limit: 1 })
  return rows.some((first) => first.id === id)
}

const oneAtATime = ({ session_uuid }: RunRow) =>
  session_uuid === null
    ? []
    : [{ name: 'session', index: 'busyBySession', eq: [session_uuid], max: 1 } as const]
