import type { EventPayloads, EventType } from '@svc/contract'
import { pause } from '@svc/node'
import { type Bus, each, type Store } from '@svc/state'
import { users } from '../catalog/records.ts'
import type { Hosts } from '../kernel/hosts.ts'
import { type AppendQueue, type AppendQueueDeps, openAppendQueue } from './append-queue.ts'
import { followItem, itemOf, itemsOf, LOST } from './item.ts'
import { openUntold } from './untold.ts'

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
  /** Appends one event for each of these subjects, in this order. */
  emitEach<Type extends EventType>(
    userId: string,
    type: Type,
    windowUuids: readonly Subject<Type>[],
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
  /**
   * Waits until what was emitted for a user is in the journal or could not be written, but at most `EVENT_LEAD_MS`: then
   * what is done next, and holds up this thread, holds up no reader.
   */
  lead(userId: string): Promise<void>
  /**
   * Waits until what was emitted for a user is in the journal. Where that takes longer than `EVENT_LEAD_MS`, it is noted in
   * the store that events wait here: if this host dies before they are written, his pages get a `reset`. What is
   * acknowledged after this is told to them, or they read it anew.
   */
  told(userId: string): Promise<void>
  /** Waits until what was emitted is in the journals. */
  flush(): Promise<void>
  /**
   * Lets the events of users age who were quiet for `JOURNAL_KEPT_MS`: nothing is written any more that would
   * trim their journals. The numbering stays, so a page that had read everything notices nothing. First `JOURNAL_KEPT_MS`
   * after the start and then each `JOURNALS_LOOKED_MS` it does so for all users: others emitted for them, or this host
   * before it was started again. Takes back its notes of events that waited, and sees to those of hosts that died.
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
  store,
  hosts,
  ...deps
}: Omit<AppendQueueDeps, 'journal' | 'isAlone'> & {
  readonly bus: Bus
  readonly store: Store
  readonly hosts: Hosts
}): Events {
  const { clock, limits } = deps
  const queues = new Map<string, AppendQueue>()
  const untold = openUntold({ store, hosts })
  const isAlone = store.isExclusive === true
  const isIdle = (userId: string) => queues.get(userId)?.idle ?? true
  let looksAt = clock.now() + limits.JOURNAL_KEPT_MS
  let closed = false

  function queueOf(userId: string): AppendQueue {
    const known = queues.get(userId)
    if (known) return known
    const queue = openAppendQueue(userJournal(userId), { journal: bus.journal, isAlone, ...deps })
    queues.set(userId, queue)
    return queue
  }

  return {
    emit(userId, type, windowUuid, payload) {
      if (!closed) queueOf(userId).add(itemOf(type, windowUuid, payload))
    },
    emitEach(userId, type, windowUuids, payload) {
      if (closed) return
      const queue = queueOf(userId)
      for (const item of itemsOf(type, windowUuids, payload)) queue.add(item)
    },
    follow(userId, windowUuid, streamId, after) {
      if (!closed) queueOf(userId).add(followItem({ windowUuid, streamId, after }))
    },
    async lead(userId) {
      const queue = queues.get(userId)
      // What is in the journal goes to the readers within the turn that comes then.
      await (queue && !queue.idle ? queue.lead(limits.EVENT_LEAD_MS) : pause())
    },
    async told(userId) {
      if (!((await queues.get(userId)?.written(limits.EVENT_LEAD_MS)) ?? true)) await untold.note(userId)
    },
    async forget(userId) {
      await queues.get(userId)?.flush()
      queues.delete(userId)
      await bus.journal.drop(userJournal(userId))
      await untold.forget(userId)
    },
    async flush() {
      await Promise.all([...queues.values()].map((queue) => queue.flush()))
    },
    async sweep() {
      const quiet = (queue: AppendQueue) => queue.idle && clock.now() - queue.usedAt >= limits.JOURNAL_KEPT_MS
      let aged = 0
      for (const [userId, queue] of queues) {
        if (!quiet(queue)) continue
        await queue.age()
        if (quiet(queue)) queues.delete(userId)
        aged += 1
        // A journal in memory is trimmed without a wait, and thousands of users may fall quiet together.
        if (aged % limits.CLEAN_RECORDS_MAX === 0) await pause()
      }
      await untold.settle(isIdle)
      await untold.adopt(async (userId) => {
        // One whose journal cannot be written has its turn at a later sweep.
        if (!isIdle(userId)) return false
        const queue = queueOf(userId)
        queue.add(LOST)
        return queue.written(limits.EVENT_LEAD_MS)
      })
      if (clock.now() < looksAt) return
      // Who is in a queue is seen to there.
      for await (const { id } of each(store, users, 'byCreation', { limit: limits.CLEAN_RECORDS_MAX }))
        if (!queues.has(id)) await bus.journal.trim(userJournal(id), { olderThanMs: limits.JOURNAL_KEPT_MS })
      looksAt = clock.now() + limits.JOURNALS_LOOKED_MS
    },
    async close() {
      closed = true
      await Promise.all([...queues.values()].map((queue) => queue.close()))
    },
  }
}
