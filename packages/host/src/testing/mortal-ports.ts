import type { Blobs, Store } from '@svc/state'

/** Ports of a host that can be killed. */
export interface MortalPorts {
  readonly store: Store
  readonly blobs: Blobs
  /** How often they were called. */
  readonly calls: () => number
  /** Kills the host. */
  kill(): void
}

type Method = (...args: never[]) => Promise<unknown>

/**
 * Ports that others share, as a host has them that is killed with its call number `last`: neither that call nor a later
 * one does anything. Each call waits for `wait` first, which gets its name.
 */
export function mortalPorts(
  { store, blobs }: { readonly store: Store; readonly blobs: Blobs },
  last: number,
  wait: (method: string) => Promise<void> = async () => {},
): MortalPorts {
  let calls = 0
  let isKilled = false
  const checkAlive = () => {
    if (isKilled || calls >= last) throw new Error('this host was killed')
  }
  const mortal = <Call extends Method>(name: string, call: Call): Call =>
    (async (...args: never[]) => {
      calls += 1
      checkAlive()
      await wait(name)
      checkAlive()
      return call(...args)
    }) as Call
  return {
    store: {
      ...store,
      insert: mortal('store.insert', store.insert),
      swap: mortal('store.swap', store.swap),
      remove: mortal('store.remove', store.remove),
      get: mortal('store.get', store.get),
      scan: mortal('store.scan', store.scan),
    },
    blobs: {
      ...blobs,
      put: mortal('blobs.put', blobs.put),
      remove: mortal('blobs.remove', blobs.remove),
      get: mortal('blobs.get', blobs.get),
      slice: mortal('blobs.slice', blobs.slice),
    },
    calls: () => calls,
    kill() {
      isKilled = true
    },
  }
}
