import type { Clock } from '@svc/node'
import type { Checkpoint } from '../threads/checkpoints.ts'
import type { Thread } from './thread.ts'

/** What keeps the files of a folder small. */
export interface UpkeepOptions {
  readonly clock: Clock
  /** The thread that writes each database file. */
  readonly writers: ReadonlyMap<string, Thread>
  /** Starts the thread that makes checkpoints; null where only one connection may be open. */
  readonly startKeeper: (() => Promise<Thread>) | null
  readonly onError: (error: unknown) => void
}

/** Pages of a log from which on its writer takes the last of them into the file, between two batches. */
const LOG_PAGES = 8_192
/** Free pages of a file from which on they are given back to the disk. */
const FREE_PAGES = 1_024
/** How long the thread of checkpoints stays when nothing is to do, in ms. */
const IDLE_MS = 10_000

/** Takes logs into their files by a thread of its own, and gives free pages back to the disk. */
export function openUpkeep({ clock, writers, startKeeper, onError }: UpkeepOptions) {
  const busy = new Map<string, Promise<void>>()
  /** Files of which there was news while they were being worked on. */
  const again = new Set<string>()
  let keeper: Promise<Thread> | null = null
  let isClosed = false
  let stopIdle = () => {}

  async function endKeeper(): Promise<void> {
    const ending = keeper
    keeper = null
    await (await ending)?.close()
  }

  async function byKeeper(start: () => Promise<Thread>, file: string): Promise<Checkpoint> {
    stopIdle()
    keeper ??= start()
    try {
      return await (await keeper).call<Checkpoint>('checkpoint', file)
    } catch (error) {
      // The next one starts another.
      void endKeeper().catch(() => {})
      throw error
    }
  }

  async function shrink(writer: Thread): Promise<void> {
    while (!isClosed && (await writer.call<boolean>('shrink')));
  }

  async function checkpoint(file: string): Promise<void> {
    const writer = writers.get(file)
    if (!writer || isClosed) return
    if (!startKeeper) {
      await writer.call('settle')
      return shrink(writer)
    }
    const { log, checkpointed, free } = await byKeeper(startKeeper, file)
    if (log > LOG_PAGES && checkpointed < log) await writer.call('settle')
    if (free > FREE_PAGES) {
      await shrink(writer)
      // The file itself is cut when the log that says so is taken into it.
      await byKeeper(startKeeper, file)
      // A log is cut to its size by the first write after it was taken in, and nobody else may write.
      if (!isClosed) await writer.call('probe')
    }
    stopIdle = clock.setTimer(() => void endKeeper().catch(onError), IDLE_MS)
  }

  function grown(file: string): void {
    if (isClosed) return
    if (busy.has(file)) {
      again.add(file)
      return
    }
    const work = checkpoint(file)
      .catch(onError)
      .finally(() => {
        busy.delete(file)
        if (again.delete(file)) grown(file)
      })
    busy.set(file, work)
  }

  return {
    /** The log of a database file has grown, or much of it has become free. */
    grown,
    async close(): Promise<void> {
      isClosed = true
      stopIdle()
      await Promise.allSettled(busy.values())
      stopIdle()
      await endKeeper()
    },
  }
}
