import { totalmem } from 'node:os'
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

/** What `openShares` goes by. */
type ShareLimits = Pick<
  Limits,
  'USER_MEMORY_MAX_BYTES' | 'USER_PROCESSES_MAX' | 'ALL_PLUGINS_MEMORY_PERCENT' | 'ALL_PLUGINS_PROCESSES_MAX'
>

/** A bound on what several processes take together, and how a sentence tells it. */
type Bound = readonly [what: keyof ResourceUse, max: number, unit: string]

/**
 * What the plugin processes of each user take together on a runner, and those of all users. Past a bound the one that
 * takes the most of it goes, so that a small process of a user outlives his greedy one, and nobody else's is touched.
 *
 * @param machineBytes the memory of the machine
 */
export function openShares(limits: ShareLimits, machineBytes = totalmem()) {
  const users = new Map<string, Map<Share, ResourceUse>>()
  const ofUser: readonly Bound[] = [
    ['bytes', limits.USER_MEMORY_MAX_BYTES, 'bytes of memory'],
    ['processes', limits.USER_PROCESSES_MAX, 'processes'],
  ]
  const ofAll: readonly Bound[] = [
    ['bytes', Math.floor((machineBytes * limits.ALL_PLUGINS_MEMORY_PERCENT) / 100), 'bytes of memory'],
    ['processes', limits.ALL_PLUGINS_PROCESSES_MAX, 'processes'],
  ]

  /** The first bound that some processes pass together, where the one that was looked at takes the most. */
  const passed = (taken: ResourceUse, all: readonly ResourceUse[], bounds: readonly Bound[]) =>
    bounds.find(([what, max]) => {
      const each = all.map((one) => one[what])
      return each.reduce((sum, one) => sum + one, 0) > max && Math.max(...each) === taken[what]
    })

  return {
    of(userId: string): Share {
      const share: Share = {
        note(taken) {
          const own = users.get(userId) ?? new Map<Share, ResourceUse>()
          users.set(userId, own.set(share, taken))
          const all = [...users.values()].flatMap((processes) => [...processes.values()])
          const told =
            sentence('all plugins of its user', passed(taken, [...own.values()], ofUser)) ??
            sentence('all plugins of this machine', passed(taken, all, ofAll))
          if (told !== undefined) share.drop()
          return told
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

const sentence = (whose: string, bound: Bound | undefined) =>
  bound && `${whose} together have more than ${bound[1]} ${bound[2]}, and this one has the most`

/** See `openShares`. */
export type Shares = ReturnType<typeof openShares>
