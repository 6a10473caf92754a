import type { Clock } from '@svc/node'
import { type Bus, memoryBus } from '@svc/state'
import { BusError } from '@svc/state/driver'
import type { Thread } from '../folder/thread.ts'
import { sqliteJournals } from './journals.ts'

/** What the bus of a folder is made of. */
export interface SqliteBusOptions {
  readonly thread: Thread
  readonly clock: Clock
  readonly epoch: string
  /** Hears what a subscriber threw; without it the process warns. */
  readonly onError?: ((error: unknown) => void) | undefined
  /** Called when the bus is closed. */
  readonly onClose: () => Promise<void>
}

/** A bus within this process, whose journals outlive it. */
export function sqliteBus({ thread, clock, epoch, onError, onClose }: SqliteBusOptions): Bus {
  const local = memoryBus({ clock, ...(onError && { onError }) })
  const closing = new AbortController()
  const alive = () => {
    if (closing.signal.aborted) throw new BusError('closed', 'the bus is closed')
  }
  let closed: Promise<void> | null = null
  async function close() {
    closing.abort()
    await local.close()
    await onClose()
  }
  return {
    epoch,
    journal: sqliteJournals({ thread, clock, alive, closing: closing.signal }),
    publish: local.publish,
    subscribe: local.subscribe,
    ask: local.ask,
    answer: local.answer,
    close() {
      closed ??= close()
      return closed
    },
  }
}
