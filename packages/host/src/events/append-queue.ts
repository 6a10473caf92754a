import type { Limits } from '@svc/contract'
import type { Clock } from '@svc/node'
import { pause } from '@svc/node'
import type { Journals, TrimOptions } from '@svc/state'
import type { Logger } from '../kernel/logger.ts'
import { LOST } from './item.ts'
import { isOrdered, openSharedOrder } from './order.ts'

/** What appending to journals needs. */
export interface AppendQueueDeps {
  readonly journal: Journals
  readonly clock: Clock
  readonly limits: Limits
  readonly log: Logger
  /** Whether no other host writes to the journals. */
  readonly isAlone: boolean
}

/** The items that wait to be appended to one journal. */
export interface AppendQueue {
  add(item: string): void
  /** True when nothing waits. */
  readonly idle: boolean
  /** Unix ms of the last event. */
  readonly usedAt: number
  /** Forgets the events that are older than they have to be. */
  age(): Promise<void>
  /** Waits until nothing waits. */
  flush(): Promise<void>
  /**
   * Waits until what waits was written or could not be, but at most `ms`, and then for the next turn of the event loop.
   * Who asks in the same millisecond waits for the same.
   */
  lead(ms: number): Promise<void>
  /** Whether what was added so far is in the journal, after at most `ms`; at once where the last try to write it failed. */
  written(ms: number): Promise<boolean>
  /** Tries once more, then forgets what waits. */
  close(): Promise<void>
}

/** How often in a row other writers may be faster before a second's pause. */
const TRIES = 20
/** A journal is trimmed each time that this share of what it keeps has come in. */
const TRIMS_PER_KEEP = 10

/** Opens the append queue of the journal `name`. */
export function openAppendQueue(
  name: string,
  { journal, clock, limits, log, isAlone }: AppendQueueDeps,
): AppendQueue {
  let tail = 0
  const readPart = (after: number) => journal.read(name, after, { limit: limits.EVENT_READ_MAX })
  const order = isAlone ? null : openSharedOrder(readPart)
  let waiting: string[] = []
  /**
   * Characters of what waits, and of what was written since the last trim: the journal counts its bytes when it is
   * trimmed, and counting them here too would cost as much as building the events.
   */
  let waitingSize = 0
  let untrimmedSize = 0
  let usedAt = clock.now()
  let waitsSince = usedAt
  let sending: string[] = []
  /** The seq of a write that may or may not have reached the journal. */
  let unanswered: number | null = null
  let running: Promise<void> | null = null
  let leading: {
    readonly at: number
    readonly running: Promise<void> | null
    readonly over: Promise<void>
  } | null = null
  let stopRetry: (() => void) | null = null
  let failing = false
  let closed = false
  const flushed: (() => void)[] = []
  /** Who waits for what is being written, and for what waits. */
  let sendingTold: (() => void)[] = []
  let waitingTold: (() => void)[] = []

  const idle = () => sending.length === 0 && waiting.length === 0
  const start = () => {
    running ??= run().finally(() => {
      running = null
      if (!idle() && !stopRetry && !closed) start()
      if (!idle() && !closed) return
      for (const resolve of flushed.splice(0)) resolve()
    })
  }

  async function run() {
    // The end of this turn of the event loop: all that is emitted until then is one append.
    await pause()
    usedAt = clock.now()
    try {
      while (!idle()) {
        if (sending.length === 0) {
          untrimmedSize += waitingSize
          waitingSize = 0
          ;[sending, waiting] = [waiting, []]
          ;[sendingTold, waitingTold] = [waitingTold, []]
        }
        await append(sending)
        const written = sending.length
        sending = []
        failing = false
        for (const resolve of sendingTold.splice(0)) resolve()
        await trimAfter(written)
      }
    } catch (error) {
      failing = true
      const count = sending.length + waiting.length
      if (closed) return log.error({ err: error, journal: name, count }, 'events were lost at the end')
      log.error({ err: error, journal: name, count }, 'events could not be written and are tried again')
      stopRetry = clock.setTimer(() => {
        stopRetry = null
        start()
      }, limits.EVENT_RETRY_MS)
    }
  }

  /** Several processes write to one journal: a refused append says where the journal is by now. */
  async function append(all: readonly string[]) {
    const isInOrder = order && all.some(isOrdered)
    for (let tries = 0; tries < TRIES; tries += 1) {
      if (isInOrder) await order.catchUp(tail, clock.now() - waitsSince <= limits.EVENT_LEAD_MS)
      const items = isInOrder ? order.current(all) : all
      if (items.length === 0) return
      const seq = tail + 1
      const again = unanswered === seq
      unanswered = seq
      const answer = await journal.append(name, seq, items)
      const stands = answer.ok || (again && (await isWrittenAt(seq, items)))
      unanswered = null
      const before = tail
      tail = answer.ok ? answer.tail : answer.refused
      order?.moved(before, tail, answer.ok)
      if (stands && isInOrder) order.note(items)
      if (stands) return
    }
    throw new Error(`other writers won ${TRIES} times in a row`)
  }

  /** Whether a write without a response was done all the same. */
  async function isWrittenAt(seq: number, items: readonly string[]) {
    const { items: standing } = await journal.read(name, seq - 1, { limit: items.length })
    return standing.length === items.length && standing.every((entry, at) => entry.item === items[at])
  }

  async function trimAfter(written: number) {
    const each = Math.max(1, Math.floor(limits.JOURNAL_KEPT_EVENTS / TRIMS_PER_KEEP))
    const isMany = Math.floor(tail / each) !== Math.floor((tail - written) / each)
    if (!isMany && untrimmedSize < limits.JOURNAL_KEPT_BYTES / TRIMS_PER_KEEP) return
    untrimmedSize = 0
    await trim({
      keep: limits.JOURNAL_KEPT_EVENTS,
      olderThanMs: limits.JOURNAL_KEPT_MS,
      maxBytes: limits.JOURNAL_KEPT_BYTES,
    })
  }

  async function trim(kept: TrimOptions) {
    await journal.trim(name, kept).catch((err: unknown) => {
      log.warn({ err, journal: name }, 'a journal could not be trimmed')
    })
  }

  async function lead(until: Promise<void> | null, ms: number) {
    if (until)
      await new Promise<void>((resolve) => {
        const stop = clock.setTimer(resolve, ms)
        void until.then(() => {
          stop()
          resolve()
        })
      })
    await pause()
    leading = null
  }

  return {
    add(item) {
      if (closed) return
      if (waiting.length >= limits.JOURNAL_KEPT_EVENTS || waitingSize >= limits.JOURNAL_KEPT_BYTES) {
        log.error({ journal: name, count: waiting.length }, 'too many events waited and were dropped')
        waiting = [LOST]
        waitingSize = LOST.length
      }
      if (idle()) waitsSince = clock.now()
      waiting.push(item)
      waitingSize += item.length
      if (!stopRetry) start()
    },
    get idle() {
      return idle()
    },
    get usedAt() {
      return usedAt
    },
    age: () => trim({ olderThanMs: limits.JOURNAL_KEPT_MS }),
    async flush() {
      if (!idle() && !closed) await new Promise<void>((resolve) => flushed.push(resolve))
    },
    lead(ms) {
      const now = clock.now()
      if (leading?.at !== now || leading.running !== running)
        leading = { at: now, running, over: lead(running, ms) }
      return leading.over
    },
    written(ms) {
      if (idle()) return Promise.resolve(true)
      if (failing || closed) return Promise.resolve(false)
      return new Promise((resolve) => {
        const list = waiting.length > 0 ? waitingTold : sendingTold
        const stop = clock.setTimer(() => {
          const at = list.indexOf(told)
          if (at !== -1) list.splice(at, 1)
          resolve(false)
        }, ms)
        function told() {
          stop()
          resolve(true)
        }
        list.push(told)
      })
    },
    async close() {
      closed = true
      stopRetry?.()
      stopRetry = null
      if (!running && !idle()) start()
      await running
      sending = []
      waiting = []
      for (const resolve of flushed.splice(0)) resolve()
    },
  }
}
