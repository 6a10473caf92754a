import type { Blobs, Bus, Clock, Store } from '@svc/host'

/** Ports of a host, and its clock, that count what is in them. */
export interface CountedPorts {
  readonly store: Store
  readonly bus: Bus
  readonly blobs: Blobs
  readonly clock: Clock
  /** By its name each count: rows of each collection, journals and items of each family, blobs, timers. */
  counts(): Promise<Record<string, number>>
}

/** Counts what goes through these ports from now on; both begin empty. */
export function countedPorts(
  { store, bus, blobs }: Pick<CountedPorts, 'store' | 'bus' | 'blobs'>,
  clock: Clock,
): CountedPorts {
  const rows = new Map<string, number>()
  const journals = new Set<string>()
  const digests = new Set<string>()
  let timers = 0
  const add = (name: string, by: number) => rows.set(name, (rows.get(name) ?? 0) + by)

  return {
    store: {
      ...store,
      async insert(of, id, row, options) {
        const inserted = await store.insert(of, id, row, options)
        if (inserted.ok) add(of.name, 1)
        return inserted
      },
      async remove(of, id, revision) {
        const isRemoved = await store.remove(of, id, revision)
        if (isRemoved) add(of.name, -1)
        return isRemoved
      },
    },
    bus: {
      ...bus,
      get epoch() {
        return bus.epoch
      },
      journal: {
        ...bus.journal,
        append(name, seq, items) {
          journals.add(name)
          return bus.journal.append(name, seq, items)
        },
        drop(name) {
          journals.delete(name)
          return bus.journal.drop(name)
        },
      },
    },
    blobs: {
      ...blobs,
      async put(bytes) {
        const digest = await blobs.put(bytes)
        digests.add(digest)
        return digest
      },
      remove(digest) {
        digests.delete(digest)
        return blobs.remove(digest)
      },
    },
    clock: {
      now: clock.now,
      setTimer(fn, ms) {
        let isSet = true
        const unset = () => {
          timers -= isSet ? 1 : 0
          isSet = false
        }
        timers += 1
        const stop = clock.setTimer(() => {
          unset()
          fn()
        }, ms)
        return () => {
          unset()
          stop()
        }
      },
    },
    async counts() {
      const found: Record<string, number> = { timers, blobs: digests.size }
      for (const [name, count] of rows) found[`rows ${name}`] = count
      for (const name of journals) {
        const [family] = name.split(':')
        const { first, tail } = await bus.journal.read(name, 0, { limit: 0 })
        const items = tail === 0 ? 0 : tail - first + 1
        found[`journals ${family}`] = (found[`journals ${family}`] ?? 0) + 1
        found[`items ${family}`] = (found[`items ${family}`] ?? 0) + items
      }
      return found
    },
  }
}
