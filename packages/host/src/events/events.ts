import type { EventPayloads, EventType } from '@svc/contract'
import type { Bus } from '@svc/state'
import { type AppendQueue, type AppendQueueDeps, openAppendQueue } from './append-queue.ts'
import { followItem, itemOf } from './item.ts'

/** The window that an event is about; `null` only for `tool_job`: then it is for the page itself (`jobs=1`). */
export type Subject<Type extends EventType> = Type extends 'tool_job' ? string | null : string

/** Sends window events into the journal of their user. */
export interface Events {
  /**
   * Appends one event to the user's journal; events of one turn of the event loop are one append. Returns at
   * once: a journal that cannot be written is logged and tried again each second, and the readers get a `reset`
   * when more than `JOURNAL_KEPT_EVENTS` or `JOURNAL_KEPT_BYTES` had to wait.
   */
  emit<Type extends EventType>(
    userId: string,
    type: Type,
    windowUuid: Subject<Type>,
    payload: EventPayloads[Type],
  ): void
  /**
   * Has every page that shows a window follow the frames of a run: from the first on when the run begins (`after` is
   * `null`: whoever follows it already continues), or again after a seq. It is in the journal of the user like an
   * event, so a page that connects again finds it there, and is never sent itself.
   */
  follow(userId: string, windowUuid: string, streamId: string, after: number | null): void
  /** Forgets what was emitted for a user, with the numbering. */
  forget(userId: string): Promise<void>
  /** Waits until what was emitted is in the journals. */
  flush(): Promise<void>
  /**
   * Lets the events of users age who were quiet for `JOURNAL_KEPT_MS`: nothing is written any more that would
   * trim their journals. The numbering stays, so a page that had read everything notices nothing.
   */
  sweep(): Promise<void>
  /** Tries once to write what still waits, then forgets it; what is emitted later is dropped. */
  close(): Promise<void>
}

/** The name of a user's journal of small events. */
export const userJournal = (userId: string): string => `user:${userId}`

/** Opens the sending of events over a bus. */
export function openEvents({
  bus,
  ...deps
}: Omit<AppendQueueDeps, 'journal'> & { readonly bus: Bus }): Events {
  const queues = new Map<string, AppendQueue>()
  let closed = false

  function queueOf(userId: string): AppendQueue {
    const known = queues.get(userId)
    if (known) return known
    const queue = openAppendQueue(userJournal(userId), { journal: bus.journal, ...deps })
    queues.set(userId, queue)
    return queue
  }

  return {
    emit(userId, type, windowUuid, payload) {
      if (!closed) queueOf(userId).add(itemOf(type, windowUuid, payload))
    },
    follow(userId, windowUuid, streamId, after) {
      if (!closed) queueOf(userId).add(followItem({ windowUuid, streamId, after }))
    },
    async forget(userId) {
      await queues.get(userId)?.flush()
      queues.delete(userId)
      await bus.journal.drop(userJournal(userId))
    },
    async flush() {
      await Promise.all([...queues.values()].map((queue) => queue.flush()))
    },
    async sweep() {
      const quiet = (queue: AppendQueue) =>
        queue.idle && deps.clock.now() - queue.usedAt >= deps.limits.JOURNAL_KEPT_MS
      for (const [userId, queue] of queues) {
        if (!quiet(queue)) continue
        await queue.age()
        if (quiet(queue)) queues.delete(userId)
      }
    },
    async close() {
      closed = true
      await Promise.all([...queues.values()].map((queue) => queue.close()))
    },
  }
}
