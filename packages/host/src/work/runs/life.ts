import { ModelFailure } from '../../models/providers/failure.ts'
import { bestEffort } from '../engine/best-effort.ts'
import { begin } from './begin.ts'
import { lastFrames, markClosed } from './close-stream.ts'
import { type Ending, ended, failedBy } from './ending.ts'
import { finish } from './finish.ts'
import type { HeldRun } from './held-run.ts'
import { insist, type RunParts } from './parts.ts'
import { perform } from './perform.ts'
import { watch } from './watch.ts'

/**
 * The life of a run on this host, from its acceptance to its closed stream. Never rejects: what cannot be
 * written while the host closes is left to the others, who find the run open.
 */
export async function live(parts: RunParts, held: HeldRun): Promise<void> {
  const stopWatching = watch(parts, held)
  try {
    const ending = await outcomeOf(parts, held)
    await held.budget.close()
    await conclude(parts, held, ending)
  } catch (err) {
    parts.log.error({ err, run: held.row.run_id }, 'the end of a run could not be written')
  } finally {
    stopWatching()
    held.frameWriter.close()
  }
}

async function outcomeOf(parts: RunParts, held: HeldRun): Promise<Ending> {
  try {
    const ending = (await begin(parts, held)) ? await perform(parts, held) : ended
    return held.ending ?? ending
  } catch (error) {
    if (held.ending) return held.ending
    const ending = failedBy(error)
    // That a model failed was logged where it did.
    if (ending.code === 'internal_error' && !(error instanceof ModelFailure))
      parts.log.error({ err: error, run: held.row.run_id }, 'a run failed')
    return ending
  }
}

/** Row, frames, mark: in this order the row decides what the frames tell, and a run with `stream_closed` has them all. */
async function conclude(parts: RunParts, held: HeldRun, ending: Ending): Promise<void> {
  const { session_uuid } = held.row
  // Before it leaves the active states: the idle end of its session spares it until then.
  if (session_uuid !== null)
    await bestEffort(parts, 'a session did not slide at the end of a run', () =>
      parts.sessions.slide(session_uuid),
    )
  const { won, record } = await insist(parts, held, () => finish(parts, held.id, ending))
  if (!record) return
  const isKnown = won || record.row.error_code === ending.code
  const isWritten = await held.frameWriter.end(lastFrames(record.row, held.chunks, isKnown ? ending : null))
  if (isWritten) await insist(parts, held, () => markClosed(parts, held.id))
}
