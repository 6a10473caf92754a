import type { RunRow } from '../../catalog/run-row.ts'
import { openWait } from '../engine/wait.ts'
import { openChunks } from './chunks.ts'
import { type Ending, ended, failed } from './ending.ts'
import { openFrameWriter } from './frame-writer.ts'
import type { Order } from './order.ts'
import type { RunBudget } from './run-budget.ts'
import type { RunParts, RunServices } from './runs.ts'

/**
 * Opens a run of this host, which waits for its turn or is under way. `id` is that of its record, `row` the row as it
 * was accepted.
 */
export function openHeldRun(
  services: RunServices,
  id: string,
  row: RunRow,
  { order, budget }: { readonly order: Order; readonly budget: RunBudget },
) {
  const over = new AbortController()
  // The declarations of the package cannot name the type that is inferred here.
  const signal: AbortSignal = over.signal
  let ending: Ending | null = null
  const { wait, wake } = openWait(services.clock)

  /** Ends it here; the first ending counts. */
  const stop = (wanted: Ending): void => {
    if (ending) return
    ending = wanted
    over.abort(new Error(wanted.message))
    wake()
  }
  const lost = () => {
    services.log.warn(
      { run: row.run_id, stream: row.stream_id },
      'the frames of a run were lost, or another host wrote them',
    )
    stop(ended)
  }
  const full = () =>
    stop(
      failed(
        'result_too_large',
        `the frames of a run may hold ${services.limits.RUN_FRAMES_MAX_BYTES} bytes together`,
      ),
    )

  return {
    id,
    row,
    order,
    budget,
    frameWriter: openFrameWriter(services, row.stream_id, { lost, full }),
    chunks: openChunks(row.run_id, row.model, row.created_at),
    /** Aborts when the run is to end. */
    signal,
    /** How it is to end, once that is known. */
    ending: (): Ending | null => ending,
    stop,
    /** Waits for at most so many ms; what woke it since the last wait counts. */
    wait,
    wake,
  }
}

export type HeldRun = ReturnType<typeof openHeldRun>

/** Retries a step that a run needs for its end until it succeeds, as long as this host is open. */
export async function retryUntilDone<T>(
  { limits, log, activeRuns }: RunParts,
  held: HeldRun,
  work: () => Promise<T>,
): Promise<T> {
  for (;;) {
    try {
      return await work()
    } catch (err) {
      if (activeRuns.isClosed()) throw err
      log.warn({ err, run: held.row.run_id }, 'a run could not be written and is tried again')
      await held.wait(limits.RUN_CHECK_MS)
    }
  }
}
