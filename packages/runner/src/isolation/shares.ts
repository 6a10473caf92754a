import type { Limits } from '@svc/contract/limits'

/** What a process takes with all that it started. */
export interface ResourceUse {
  readonly bytes: number
  readonly processes: number
}

/** The part of one process in what its user may take. */
export interface Share {
  /** Notes what it takes now; a sentence if it has to end, returned once. */
  note(taken: ResourceUse): string | undefined
  /** The process is gone. */
  drop(): void
}

/**
 * What the plugin processes of each user take together on a runner. Past a bound the one that takes the most of it goes,
 * so that a small process of a user outlives his greedy one, and nobody else's is touched.
 */
export function openShares(limits: Pick<Limits, 'USER_MEMORY_MAX_BYTES' | 'USER_PROCESSES_MAX'>) {
  const users = new Map<string, Map<Share, ResourceUse>>()
  const bounds = [
    ['bytes', limits.USER_MEMORY_MAX_BYTES, 'bytes of memory'],
    ['processes', limits.USER_PROCESSES_MAX, 'processes'],
  ] as const

  return {
    of(userId: string): Share {
      const share: Share = {
        note(taken) {
          const all = users.get(userId) ?? new Map<Share, ResourceUse>()
          users.set(userId, all.set(share, taken))
          const over = bounds.find(([what, max]) => {
            const each = [...all.values()].map((one) => one[what])
            return each.reduce((sum, one) => sum + one, 0) > max && Math.max(...each) === taken[what]
          })
          if (!over) return undefined
          share.drop()
          return `all plugins of its user together have more than ${over[1]} ${over[2]}, and this one has the most`
        },
        drop() {
          const all = users.get(userId)
          if (all?.delete(share) && all.size === 0) users.delete(userId)
        },
      }
      return share
    },
    /** Users of whom something is noted. */
    users: () => users.size,
  }
}

/** See `openShares`. */
export type Shares = ReturnType<typeof openShares>
