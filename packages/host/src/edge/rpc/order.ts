/** What a call does to what its document keeps: a `read` leaves it as it is, a `write` may change it. */
export type Effect = 'read' | 'write'

/** The slot of a call in the queue of its owner. */
export interface OrderSlot {
  /** Settles when the calls before it are over; `undefined` where none is to be waited for. */
  readonly turn: Promise<void> | undefined
  /** Says that the call is over. */
  release(): void
}

interface Entry {
  readonly effect: Effect
  /** Starts a call that had to wait. */
  readonly start: (() => void) | undefined
}

/** The calls of one owner that are not over, oldest first. */
interface OwnerQueue {
  readonly entries: Set<Entry>
  writes: number
}

/** Opens an order; per process, like the count of calls in flight. */
export function openOrder() {
  const queues = new Map<string, OwnerQueue>()

  function finish(owner: string, queue: OwnerQueue, entry: Entry): void {
    if (!queue.entries.delete(entry)) return
    if (entry.effect === 'write') queue.writes -= 1
    if (queue.entries.size === 0) queues.delete(owner)
    let reads = 0
    for (const { effect, start } of queue.entries) {
      if (effect === 'read' || reads === 0) start?.()
      // After the first read, others can only have waited for a write that has ended.
      if (effect === 'write' || entry.effect === 'read') return
      reads += 1
    }
  }

  return {
    /** Takes the next slot: a write waits for all before it, a read for the writes among them. */
    enter(owner: string, effect: Effect) {
      const queue = queues.get(owner) ?? { entries: new Set<Entry>(), writes: 0 }
      const waits = effect === 'write' ? queue.entries.size > 0 : queue.writes > 0
      const turn = waits ? Promise.withResolvers<void>() : undefined
      const entry = { effect, start: turn?.resolve }
      if (queue.entries.size === 0) queues.set(owner, queue)
      queue.entries.add(entry)
      if (effect === 'write') queue.writes += 1
      return { turn: turn?.promise, release: () => finish(owner, queue, entry) }
    },
  }
}

/** Lets the calls of an owner, such as a window, take effect in the order in which they were made. */
export type Order = ReturnType<typeof openOrder>
