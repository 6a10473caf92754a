import { totalmem } from 'node:os'
import type { Limits } from '@svc/contract/limits'

/** What a process takes with all that it started. */
export interface ResourceUse {
  readonly bytes: number
  readonly processes: number
  /** Files and events that the kernel watches for them, and ranges of files that they locked. */
  readonly watches: number
  /** Those that watch files, of which a user has only so many on a machine. */
  readonly watchers: number
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
  | 'USER_MEMORY_MAX_BYTES'
  | 'USER_PROCESSES_MAX'
  | 'ALL_PLUGINS_MEMORY_PERCENT'
  | 'ALL_PLUGINS_PROCESSES_MAX'
  | 'ALL_PLUGINS_WATCHES_MAX'
  | 'ALL_PLUGINS_WATCHERS_MAX'
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
    ['bytes', bytesOfAll(limits, machineBytes), 'bytes of memory'],
    ['processes', limits.ALL_PLUGINS_PROCESSES_MAX, 'processes'],
    ['watches', limits.ALL_PLUGINS_WATCHES_MAX, 'watches and locks'],
    ['watchers', limits.ALL_PLUGINS_WATCHERS_MAX, 'watchers of files'],
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
            sentence('user', passed(taken, each, ofUser)) ??
            sentence('machine', passed(sumOf(each), [...users.values()].map(sumIn), ofMachine))
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

const sumOf = (all: readonly ResourceUse[]): ResourceUse => {
  const sum = (what: keyof ResourceUse) => all.reduce((before, one) => before + one[what], 0)
  return {
    bytes: sum('bytes'),
    processes: sum('processes'),
    watches: sum('watches'),
    watchers: sum('watchers'),
  }
}
const sumIn = (processes: ReadonlyMap<unknown, ResourceUse>) => sumOf([...processes.values()])

/** Returns what the plugins of all users may take together, in bytes. */
export const bytesOfAll = (
  { ALL_PLUGINS_MEMORY_PERCENT: percent }: Pick<Limits, 'ALL_PLUGINS_MEMORY_PERCENT'>,
  machineBytes = machineMemory(),
): number => Math.floor((machineBytes * percent) / 100)

/** The memory of the machine, or of the container that this process is in. */
const machineMemory = () => Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY)

/** Whose plugins have a bound together. */
type Whose = 'user' | 'machine'

const sentence = (whose: Whose, bound: Bound | undefined) =>
  bound && overTogether(whose, `${bound[1]} ${bound[2]}`)

/** Says of which bound together a plugin took the most. */
export const overTogether = (whose: Whose, bound: string): string =>
  `all plugins of ${whose === 'user' ? 'its user' : 'this machine'} together have more than ${bound}, and this one has the most`

/** See `openShares`. */
export type Shares = ReturnType<typeof openShares>
