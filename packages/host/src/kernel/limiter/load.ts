import { totalmem } from 'node:os'
import { constrainedMemory, memoryUsage } from 'node:process'
import { getHeapStatistics } from 'node:v8'
import type { Limits } from '@svc/contract'
import type { Clock } from '@svc/node'

/** How much memory this process uses, as a part of what it may have. */
export function memoryInUse(): number {
  const { used_heap_size, heap_size_limit } = getHeapStatistics()
  return partInUse({
    heap: used_heap_size,
    heapMost: heap_size_limit,
    rss: memoryUsage.rss(),
    container: constrainedMemory(),
    machine: totalmem(),
  })
}

/** What is in use, and what there is, in bytes. */
interface Memory {
  readonly heap: number
  readonly heapMost: number
  readonly rss: number
  /** The bound of the container that the process runs in; 0: there is none. */
  readonly container: number
  readonly machine: number
}

/** The part in use of V8's heap, or of the machine or the container, whichever is shorter. */
export function partInUse({ heap, heapMost, rss, container, machine }: Memory): number {
  const room = container > 0 && container < machine ? container : machine
  return Math.max(heap / heapMost, rss / room)
}

/** What a host has too little of. */
export type Shortage = 'memory' | 'event_loop'

/** What is measured; `clock` is that of the machine. */
export interface LoadParts {
  readonly clock: Clock
  readonly limits: Pick<
    Limits,
    'LOAD_SAMPLE_MS' | 'LOAD_LAG_MAX_MS' | 'LOAD_MEMORY_PERCENT' | 'LOAD_FREE_REQUESTS'
  >
  /** How much memory is in use, as a part of what there may be: 1 is all of it. */
  readonly memory: () => number
}

const HUNDRED = 100
/** One long turn is not a shortage: so many samples in a row have to be late. */
const LATE_SAMPLES = 3
/** Where memory is short, nobody takes more than half of what is asked for, even if he is the only user. */
const SHARES_OF_MEMORY = 2

/** Opens the measuring. Of a host that is short of something the greediest are refused first. */
export function openLoad({ clock, limits, memory }: LoadParts) {
  let counts = new Map<string, number>()
  let total = 0
  /** The same of the sample before, by which shares are judged. */
  let before = { users: 0, total: 0 }
  let shortages: readonly Shortage[] = []
  let lagMs = 0
  let late = 0
  let due = 0
  let stop = () => {}

  function wait(): void {
    due = clock.now() + limits.LOAD_SAMPLE_MS
    stop = clock.setTimer(sample, limits.LOAD_SAMPLE_MS)
  }

  function sample(): void {
    lagMs = Math.max(0, clock.now() - due)
    late = lagMs >= limits.LOAD_LAG_MAX_MS ? late + 1 : 0
    const isFull = memory() * HUNDRED >= limits.LOAD_MEMORY_PERCENT
    shortages = [
      ...(isFull ? (['memory'] as const) : []),
      ...(late >= LATE_SAMPLES ? (['event_loop'] as const) : []),
    ]
    before = { users: counts.size, total }
    counts = new Map()
    total = 0
    wait()
  }

  wait()
  return {
    /** Counts requests of a user or an address; whether they are too many for what the host has left. */
    isTooMuch(who: string, count: number = 1) {
      const own = (counts.get(who) ?? 0) + count
      counts.set(who, own)
      total += count
      if (shortages.length === 0 || own <= limits.LOAD_FREE_REQUESTS) return false
      const users = Math.max(before.users, counts.size, shortages.includes('memory') ? SHARES_OF_MEMORY : 1)
      return own > Math.max(before.total, total) / users
    },
    /** Why the host takes less; empty while it is well. */
    get shortages() {
      return shortages
    },
    /** The last delay of the event loop, in ms. */
    get lagMs() {
      return lagMs
    },
    close: () => stop(),
  }
}

/** Measures how much a host has left, and who asks for most of it. */
export type Load = ReturnType<typeof openLoad>
