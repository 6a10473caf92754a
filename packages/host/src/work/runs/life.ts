import { run } from '@svc/contract/states'
import { isRunning, type RunRecord, type RunRow, runs } from '../../catalog/run-row.ts'
import { ModelFailure } from '../../models/providers/failure.ts'
import { bestEffort } from '../engine/best-effort.ts'
import { lastFrames, markClosed } from './close-stream.ts'
import { type Ending, ended, failedBy, finish } from './ending.ts'
import { type HeldRun, retryUntilDone } from './held-run.ts'
import { perform } from './perform.ts'
import type { RunParts } from './runs.ts'
import { watchRun } from './watch.ts'

/**
 * Runs a run on this host, from its acceptance, whose record is `accepted`, to its closed stream. Never rejects: what
 * cannot be written while the host closes is left to the other hosts, which find the run open.
 */
export async function processRun(parts: RunParts, held: HeldRun, accepted: RunRecord): Promise<void> {
  const stopWatching = watchRun(parts, held)
  try {
    const ending = await outcomeOf(parts, held, accepted)
    await held.budget.close()
    await closeRun(parts, held, ending)
  } catch (err) {
    parts.log.error({ err, run: held.row.run_id }, 'the end of a run could not be written')
  } finally {
    stopWatching()
    held.frameWriter.close()
  }
}

/** The codes of what went wrong in the host itself. */
const ofHost = new Set<Ending['code']>(['internal_error', 'storage_unavailable'])

async function outcomeOf(parts: RunParts, held: HeldRun, accepted: RunRecord): Promise<Ending> {
  try {
    const ending = (await begin(parts, held, accepted)) ? await perform(parts, held) : ended
    return held.ending() ?? ending
  } catch (error) {
    const known = held.ending()
    if (known) return known
    const ending = failedBy(error)
    // That a model failed was logged where it did.
    if (ofHost.has(ending.code) && !(error instanceof ModelFailure))
      parts.log.error({ err: error, run: held.row.run_id }, 'a run failed')
    return ending
  }
}

/** Row, frames, mark: in this order the row decides what the frames tell, and a run with `stream_closed` has them all. */
async function closeRun(parts: RunParts, held: HeldRun, ending: Ending): Promise<void> {
  const { session_uuid } = held.row
  // Before it leaves the active states: the idle end of its session spares it until then.
  if (session_uuid !== null)
    await bestEffort(parts, 'the idle time of a session was not extended at the end of a run', () =>
      parts.sessions.slide(session_uuid),
    )
  const { won, record } = await retryUntilDone(parts, held, () => finish(parts, held.id, ending))
  if (!record) return
  const isKnown = won || record.row.error_code === ending.code
  const isWritten = await held.frameWriter.end(lastFrames(record.row, held.chunks, isKnown ? ending : null))
  if (isWritten) await retryUntilDone(parts, held, () => markClosed(parts, held.id))
}

/**
 * Waits for the turn of a run and writes down that it runs: the oldest of its session that has not ended goes first,
 * and the cap of the write keeps two from running at once, whatever hosts they are on. `false`: it was ended before.
 */
async function begin(parts: RunParts, held: HeldRun, accepted: RunRecord): Promise<boolean> {
  let known: RunRecord | null = accepted
  for (;;) {
    const tried = await retryUntilDone(parts, held, () => {
      const record = known
      known = null
      return tryOnce(parts, held, record)
    })
    if (tried === 'begun' || tried === 'ended') return tried === 'begun'
    if (tried === 'wait' && !held.signal.aborted) await held.wait(parts.limits.RUN_CHECK_MS)
  }
}

/** `known`: its record as it was last seen; left out, it is read. `again`: it may not be that any more. */
async function tryOnce(
  parts: RunParts,
  { id, signal }: HeldRun,
  known: RunRecord | null,
): Promise<'begun' | 'ended' | 'wait' | 'again'> {
  const { clock, store } = parts
  const record = known ?? (await store.get(runs, id))
  if (!record || signal.aborted) return 'ended'
  const { row, revision } = record
  // Nobody else starts it: this was tried before, and the answer of the store was lost.
  if (isRunning(row)) return 'begun'
  const state = run.next(row.state, 'start')
  if (state === null) return 'ended'
  if (!(await isNext(parts, id, row))) return known ? 'again' : 'wait'
  const next = { ...row, state, started_at: clock.now() }
  const swapped = await store.swap(runs, id, revision, next, { caps: oneAtATime(row) })
  if (swapped.ok) return 'begun'
  return known ? 'again' : 'wait'
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
