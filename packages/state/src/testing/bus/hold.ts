import type { FrozenClock } from '@svc/node/testing'
import type { Batch, Bus, Entry } from '../../bus/port.ts'

/** The bus under test and its clock, fresh for each test. */
export interface Hold {
  bus: Bus
  clock: FrozenClock
}

/** The items `from` to `to`, as `fill` writes them. */
export const entries = (from: number, to: number): Entry[] =>
  Array.from({ length: Math.max(0, to - from + 1) }, (_, n) => ({ seq: from + n, item: `{"n":${from + n}}` }))

/** Appends the items `from` to `to` in one write. */
export const fill = (bus: Bus, name: string, from: number, to: number) =>
  bus.journal.append(
    name,
    from,
    entries(from, to).map((e) => e.item),
  )

/** The next batch of a follower that is not at its end. */
export async function nextOf(follower: AsyncIterator<Batch>): Promise<Batch> {
  const { value, done } = await follower.next()
  if (done) throw new Error('the follower ended')
  return value
}

/** Follows `name` from `after` by hand. */
export const followerOf = (
  bus: Bus,
  name: string,
  after: number,
  signal?: AbortSignal,
): AsyncIterator<Batch> => bus.journal.follow(name, after, signal ? { signal } : {})[Symbol.asyncIterator]()
