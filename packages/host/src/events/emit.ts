import type { EventPayloads, EventType } from '@svc/contract'

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
   * Has every page that shows a window follow the frames of a run: from the first on when the run
   * begins (`after` is `null`: who follows it already goes on), or again after a seq. It stands in the journal of
   * the user like an event, so a page that connects again finds it there, and is never sent itself.
   */
  follow(userId: string, windowUuid: string, streamId: string, after: number | null): void
  /** Forgets what was emitted for a user, with the numbering. */
  forget(userId: string): Promise<void>
  /** Waits until what was emitted stands in the journals. */
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
