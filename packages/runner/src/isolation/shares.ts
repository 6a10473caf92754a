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
export function openShares(limits: ShareLimits, machineBytes = machineMemory()) {
  const users = new Map<string, Map<Share, ResourceUse>>()
  const ofUser: readonly Bound[] = [
    ['bytes', limits.USER_MEMORY_MAX_BYTES, 'bytes of memory'],
    ['processes', limits.USER_PROCESSES_MAX, 'processes'],
  ]
  const ofAll: readonly Bound[] = [
    ['bytes', Math.floor((machineBytes * limits.ALL_PLUGINS_MEMORY_PERCENT) / 100), 'bytes of memory'],
    ['processes', limits.ALL_PLUGINS_PROCESSES_MAX, 'processes'],
  ]

  /** The first bound that some take together, where this one takes the most of them. */
  const passed = (taken: ResourceUse, all: readonly ResourceUse[], bounds: readonly Bound[]) =>
    bounds.find(([what, max]) => {
      const each = all.map((one) => one[what])
      return each.reduce((sum, one) => sum + one, 0) > max && Math.max(...each) === taken[what]
    })
  const isLargest = (taken: ResourceUse, own: readonly ResourceUse[], what: keyof ResourceUse) =>
    own.every((one) => one[what] <= taken[what])

  return {
    of(userId: string): Share {
      const share: Share = {
        note(taken) {
          const own = users.get(userId) ?? new Map<Share, ResourceUse>()
          users.set(userId, own.set(share, taken))
          const each = [...own.values()]
          // Whose plugins take the most loses his largest, and nobody else's goes.
          const ofMachine = ofAll.filter(([what]) => isLargest(taken, each, what))
          const told =
            sentence('all plugins of its user', passed(taken, each, ofUser)) ??
            sentence(
              'all plugins of this machine',
              passed(sumOf(each), [...users.values()].map(sumIn), ofMachine),
            )
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

const sumOf = (all: readonly ResourceUse[]): ResourceUse => ({
  bytes: all.reduce((sum, { bytes }) => sum + bytes, 0),
  processes: all.reduce((sum, { processes }) => sum + processes, 0),
})
const sumIn = (processes: ReadonlyMap<unknown, ResourceUse>) => sumOf([...processes.values()])

/** The memory of the machine, or of the container that this process is in. */
const machineMemory = () => Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY)

const sentence = (whose: string, bound: Bound | undefined) =>
  bound && `${whose} together have more than ${bound[1]} ${bound[2]}, and this one has the most`

/** See `openShares`. */
export type Shares = ReturnType<typeof openShares>
