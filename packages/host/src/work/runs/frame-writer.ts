import { frameJournal } from '../../catalog/run-row.ts'
import { openJournalWriter } from '../engine/journal-writer.ts'
import { openWait } from '../engine/wait.ts'
import type { WorkServices } from '../services.ts'

/** The events of a frame writer for its run. */
interface FrameWriterEvents {
  /** The journal holds frames of somebody else: this host was taken for dead. */
  lost(): void
  /** A frame came that would go over `RUN_FRAMES_MAX_BYTES`; it was dropped, and so is what follows but the end. */
  full(): void
}

const turnOfLoop = () => new Promise<void>((done) => setImmediate(done))

/** Opens what writes the frames of one run into its journal, numbered from 1; there are none yet. */
export function openFrameWriter(
  { bus, clock, limits, log }: Pick<WorkServices, 'bus' | 'clock' | 'limits' | 'log'>,
  streamId: string,
  { lost, full }: FrameWriterEvents,
) {
  const journal = openJournalWriter(bus.journal, frameJournal(streamId))
  const { wait, wake } = openWait(clock)
  let bytes = 0
  let waiting: string[] = []
  let wroteAt = clock.now()
  let draining: Promise<void> | null = null
  let isOver = false
  let isClosed = false

  /** The first frame goes at once; what the same turn of the event loop brings after it goes together. */
  async function drain(): Promise<void> {
    while (waiting.length > 0 && !isOver) {
      const items = waiting
      waiting = []
      if (!(await put(items))) {
        isOver = true
        lost()
      }
      await turnOfLoop()
    }
    draining = null
  }

  /** Appends until it is known whether the items are written. */
  async function put(items: readonly string[]): Promise<boolean> {
    for (let unsent = items; ; unsent = []) {
      try {
        return await journal.put(unsent)
      } catch (err) {
        log.warn({ err, stream: streamId }, 'frames could not be written and are tried again')
        if (isClosed) return false
        await wait(limits.RUN_CHECK_MS)
      }
    }
  }

  return {
    /** Unix ms of the last frame. */
    wroteAt: (): number => wroteAt,
    /** Writes one frame, JSON text. */
    write(frame: string): void {
      if (isOver || bytes > limits.RUN_FRAMES_MAX_BYTES) return
      bytes += Buffer.byteLength(frame)
      if (bytes > limits.RUN_FRAMES_MAX_BYTES) {
        full()
        return
      }
      waiting.push(frame)
      wroteAt = clock.now()
      draining ??= drain()
    },
    /** Writes the last frames in one piece, after all others. `false`: somebody else has ended the journal. */
    async end(frames: readonly string[]): Promise<boolean> {
      await draining
      if (isOver) return false
      isOver = true
      return put(frames)
    },
    /** Stops waiting for a journal that cannot be written. */
    close(): void {
      isClosed = true
      wake()
    },
  }
}
