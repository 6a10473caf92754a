import { OptionError } from '@svc/node/options'
import type { Store } from '@svc/state'

/** Exclusive stores that a host of this process uses. */
const inUse = new WeakSet<Store>()

/** Refuses an exclusive store that a host uses: neither would see what the other writes. */
export function checkStoreIsFree(store: Store | undefined): void {
  if (store && inUse.has(store))
    throw new OptionError(
      'createHost: the store is for one host, and another host of this process uses it; close that host first, or give ' +
        'both a store that hosts can share',
    )
}

/** Takes a store for a host, where it is exclusive. Returns what gives it back. */
export function useStore(store: Store | undefined): () => void {
  if (!store?.isExclusive) return () => {}
  inUse.add(store)
  return () => void inUse.delete(store)
}
