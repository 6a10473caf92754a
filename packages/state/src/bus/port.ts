/** Takes back a subscription or an answer; from its return on nothing is called any more. Twice is harmless. */
export type Stop = () => void

/** One item of a journal. */
export interface Entry {
  /** Its number in the journal, from 1 without holes. */
  readonly seq: number
  /** JSON text, carried untouched. */
  readonly item: string
}

/** What a reader gets of a journal. */
export interface Batch {
  /** The items after the reader's cursor, in order. */
  readonly items: readonly Entry[]
  /** The lowest seq still kept; `tail + 1` when none is. */
  readonly first: number
  /** The highest seq ever given. */
  readonly tail: number
  /**
   * True when the cursor cannot be resumed exactly: items after it are gone, or it lies beyond the tail or is not a
   * seq at all. `items` then begin at `first`.
   */
  readonly reset: boolean
}

/** What an append gives: the new tail, or a refusal. */
export type AppendResult =
  | {
      /** The items are in the journal. */
      ok: true
      /** The seq of the last of them. */
      tail: number
    }
  | {
      /** Nothing was written. */
      ok: false
      /** The current tail, so that the writer knows where the journal is. */
      refused: number
    }

/**
 * What `trim` leaves: the last `keep` items, and those appended less than `olderThanMs` ms ago. With both, an item is
 * removed only when both allow it. Whatever they keep, the oldest go until at most `maxBytes` bytes of UTF-8 are left.
 */
export type TrimOptions = (
  | {
      /** The last of them that stay. */
      keep: number
      /** Items that were appended less than this many ms ago stay. */
      olderThanMs?: number
    }
  | {
      /** The last of them that stay. */
      keep?: number
      /** Items that were appended less than this many ms ago stay. */
      olderThanMs: number
    }
) & {
  /** Bytes of UTF-8 that may be left; the oldest go. */
  maxBytes?: number
}

/** How long to follow, and how many items a batch may hold. */
export interface FollowOptions {
  /** Ends the following, quietly. */
  signal?: AbortSignal
  /** Items a batch; left out: as many as there are. */
  limit?: number
}

/** Append-only lists with a cursor: progress, frames, events. A journal is there as soon as it is named. */
export interface Journals {
  /**
   * Appends `items`, of which the first gets the number `seq`: refused unless `seq` is exactly tail + 1. So the
   * numbering has no holes; of two writers that hold the same tail one is refused (a fenced owner always is); and
   * a write sent again because its answer was lost cannot stand twice.
   */
  append(name: string, seq: number, items: readonly string[]): Promise<AppendResult>
  /** What stands after the cursor `after` (0: from the beginning), at most `limit` items (0: only the tail). */
  read(name: string, after: number, options?: { limit?: number }): Promise<Batch>
  /**
   * What stands after `after` and whatever comes, in batches without loss or repetition, until `signal` aborts or
   * the bus closes; both end the loop quietly. Waits silently while there is nothing; an empty batch says `reset`.
   */
  follow(
    name: string,
    after: number,
    options?: { signal?: AbortSignal; limit?: number },
  ): AsyncIterable<Batch>
  /** Forgets old items; the numbering goes on. */
  trim(name: string, options: TrimOptions): Promise<void>
  /** Forgets the journal and its numbering; the next item is number 1. Followers are told by a reset. */
  drop(name: string): Promise<void>
}

/** How long a question may wait. */
export interface AskOptions {
  /** Until when, Unix ms. */
  deadline: number
  /** Ends the wait with `aborted`. */
  signal?: AbortSignal
}

/** What an answerer is told of a question. */
export interface AskContext {
  /** Until when its asker waits, Unix ms. */
  deadline: number
  /** Aborts when nobody waits for the answer any more. */
  signal: AbortSignal
}

/** Answers one question, JSON text for JSON text. */
export type Answerer = (body: string, context: AskContext) => Promise<string>

/** What hosts say to each other. All messages are JSON text. Throws `BusError` (`closed` after `close()`). */
export interface Bus {
  /**
   * Changes when journals were lost, or may have been: part of every cursor that leaves the host. A bus that hosts share
   * may change it while it is open, and its followers get a reset then.
   */
  readonly epoch: string
  /** Tells whoever listens now. A wake-up: it may be lost in a crash, so a listener reads the store again. */
  publish(topic: string, message: string): Promise<void>
  /** Calls `fn` for each message from now on, in order, never inside `publish` itself. */
  subscribe(topic: string, fn: (message: string) => void): Promise<Stop>
  /** Lists of items that are kept for a while, which readers follow. */
  readonly journal: Journals
  /**
   * Asks one host. Throws `BusError`: `no_host` at once when nobody answers `kind` for `hostId`, `deadline`,
   * `aborted` (`cause`: the signal's reason), `failed` (`cause`: what the answerer threw, where it is known).
   */
  ask(hostId: string, kind: string, body: string, options: AskOptions): Promise<string>
  /** Answers questions of `kind` to `hostId`; one answerer at a time. */
  answer(hostId: string, kind: string, handler: Answerer): Promise<Stop>
  /** Ends followers, fails pending questions with `closed`, forgets subscriptions; twice is harmless. */
  close(): Promise<void>
}
