import type { RunRow } from '../../catalog/run-row.ts'
import { type Chunks, openChunks } from './chunks.ts'
import { type Ending, ended, failed } from './ending.ts'
import { type FrameWriter, openFrameWriter } from './frame-writer.ts'
import type { Order } from './order.ts'
import type { RunServices } from './parts.ts'
import type { RunBudget } from './run-budget.ts'

/** A run that this host does: it waits for its turn here, or is under way. */
export interface HeldRun {
  /** The id of its record. */
  readonly id: string
  /** Its row as it was accepted. */
  readonly row: RunRow
  readonly order: Order
  readonly budget: RunBudget
  readonly frameWriter: FrameWriter
  readonly chunks: Chunks
  /** Aborts when the run is to end. */
  readonly signal: AbortSignal
  /** How it is to end, once that is known. */
  readonly ending: Ending | null
  /** Ends it here; the first ending counts. */
  stop(ending: Ending): void
  /** Waits for at most `ms`; what woke it since the last wait counts. */
  wait(ms: number): Promise<void>
  wake(): void
}

/** Holds a run. */
export function holdRun(
  services: RunServices,
  id: string,
  row: RunRow,
  { order, budget }: Pick<HeldRun, 'order' | 'budget'>,
): HeldRun {
  const over = new AbortController()
  let ending: Ending | null = null
  let isPoked = false
  let rouse = () => {}

  const wake = () => {
    isPoked = true
    rouse()
  }
  const stop = (wanted: Ending) => {
    if (ending) return
    ending = wanted
    over.abort(new Error(wanted.message))
    wake()
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
    frameWriter: openFrameWriter(services, row.stream_id, { lost: () => stop(ended), full }),
    chunks: openChunks(row.run_id, row.model, row.created_at),
    signal: over.signal,
    get ending() {
      return ending
    },
    stop,
    async wait(ms) {
      if (!isPoked)
        await new Promise<void>((resolve) => {
          const stopTimer = services.clock.setTimer(resolve, ms)
          rouse = () => {
            stopTimer()
            resolve()
          }
        })
      isPoked = false
    },
    wake,
  }
}
