import type { Limits } from '@svc/contract/limits'

/** Counts the places that users hold, and shares the others out. */
export interface FairShare {
  add(userId: string, change: 1 | -1): void
  /** Whether a user may take a place more: all but the reserve, or one where he holds none. */
  mayTake(userId: string): boolean
  /** Of those who wait and may have a place the one whose user holds the fewest; the first of them in the line. */
  next<Waiter>(
    waiters: Iterable<Waiter>,
    userOf: (waiter: Waiter) => string,
    may?: (waiter: Waiter) => boolean,
  ): Waiter | undefined
}

/** A small pool reserves a part of itself. */
const RESERVED_PART = 4

/** Opens the count; a user who holds nothing is not kept. */
export function openFairShare(limits: Pick<Limits, 'POOL_PER_RUNNER' | 'POOL_RESERVE'>): FairShare {
  const { POOL_PER_RUNNER: places, POOL_RESERVE } = limits
  const shared = places - Math.min(POOL_RESERVE, Math.floor(places / RESERVED_PART))
  const counts = new Map<string, number>()
  let total = 0
  const of = (userId: string) => counts.get(userId) ?? 0
  return {
    add(userId, change) {
      const count = of(userId) + change
      total += change
      if (count > 0) counts.set(userId, count)
      else counts.delete(userId)
    },
    mayTake: (userId) => of(userId) === 0 || total < shared,
    next(waiters, userOf, may = () => true) {
      let next: (typeof waiters extends Iterable<infer One> ? One : never) | undefined
      let fewest = Number.POSITIVE_INFINITY
      for (const waiter of waiters) {
        const held = of(userOf(waiter))
        if (held >= fewest || !may(waiter)) continue
        next = waiter
        fewest = held
        if (held === 0) break
      }
      return next
    },
  }
}

/** Puts the other calls of a user who has just had a place behind those of everybody else. */
export function moveBack<Waiter>(waiters: Set<Waiter>, isHis: (waiter: Waiter) => boolean): void {
  const his: Waiter[] = []
  for (const waiter of waiters) if (isHis(waiter)) his.push(waiter)
  // Where nobody else waits the line stays as it is.
  if (his.length === waiters.size) return
  for (const waiter of his) {
    waiters.delete(waiter)
    waiters.add(waiter)
  }
}
