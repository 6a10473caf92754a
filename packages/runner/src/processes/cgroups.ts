import { join } from 'node:path'
import type { Limits } from '@svc/contract/limits'
import { bytesOfAll, overTogether } from '../isolation/shares.ts'
import type { Log } from '../port/log.ts'
import { type Cgroup, keepCgroup, OUTSIDE } from './cgroup.ts'
import { findBase, openBase } from './cgroup-base.ts'
import { type CgroupFiles, cgroupFiles } from './cgroup-files.ts'
import { nameOf, removeCgroup, sweepCgroups } from './cgroup-sweep.ts'

/**
 * What the kernel allows of memory: a bit more than the limit, past which the runner ends a process. At its own bound the
 * kernel first takes away what was read from files, and a process that needs that goes on for long, and slowly.
 */
const withRoom = (bytes: number): number => bytes + Math.ceil(bytes / 16)

/** What `openCgroups` works with. */
interface CgroupParts {
  readonly limits: Limits
  readonly log: Log
  /** Names this runner among those of its process, in letters and digits. */
  readonly mark: string
  readonly files?: CgroupFiles
}

/**
 * The cgroups of a runner's processes, in which the kernel itself keeps their limits: one for each process, in one for each
 * user, in one for all. Users have the same part of the CPU, and the runner as much as all of them.
 *
 * They are opened with the first process. Where they cannot be had the log says why, and what plugins take is counted.
 */
export function openCgroups({ limits, log, mark, files = cgroupFiles }: CgroupParts) {
  // Asked before the runner is in a cgroup of its own.
  const machineBytes = bytesOfAll(limits)
  const users = new Map<string, string>()
  const closing = new Set<Promise<void>>()
  let all: string | null | undefined
  let made = 0

  function open(): string | null {
    try {
      const base = findBase(files)
      openBase(files, base)
      sweepCgroups(files, base)
      const path = make(join(base, nameOf(mark)), { 'memory.max': withRoom(machineBytes) }, true)
      log.info({ event: 'plugin_limits', by: 'cgroups' }, 'plugins are held to their limits by cgroups')
      return path
    } catch (error) {
      const problem = error instanceof Error ? error.message : String(error)
      log.info({ event: 'plugin_limits', by: 'counting', problem }, 'what plugins take is counted')
      return null
    }
  }

  /** A cgroup with limits; none without them. */
  function make(path: string, bounds: Readonly<Record<string, number>>, hasOthers = false): string {
    files.make(path)
    try {
      for (const [name, bound] of Object.entries(bounds)) files.write(join(path, name), String(bound))
      if (hasOthers) files.write(join(path, 'cgroup.subtree_control'), '+cpu +memory +pids')
      return path
    } catch (error) {
      files.remove(path)
      throw error
    }
  }

  return {
    /** Makes the cgroup of one process of a user; nothing where there are none here. Throws where the kernel refuses. */
    of(userId: string): Cgroup | undefined {
      if (all === undefined) all = open()
      if (all === null) return undefined
      const { PLUGIN_MEMORY_MAX_BYTES: ownBytes, USER_MEMORY_MAX_BYTES: userBytes } = limits
      const user =
        users.get(userId) ?? make(join(all, `u${++made}`), { 'memory.max': withRoom(userBytes) }, true)
      users.set(userId, user)
      const path = make(join(user, `p${++made}`), {
        'memory.max': withRoom(ownBytes),
        // A machine may not count what it swaps.
        ...(files.isThere(join(user, 'memory.swap.max')) && { 'memory.swap.max': 0 }),
        'memory.oom.group': 1,
        // One more shows that there are too many.
        'pids.max': OUTSIDE + limits.PLUGIN_THREADS_MAX + 1,
      })
      const cgroup = keepCgroup(files, path, [
        [path, `it holds more than ${ownBytes} bytes of memory`],
        [user, overTogether('user', `${userBytes} bytes of memory`)],
        [all, overTogether('machine', `${machineBytes} bytes of memory`)],
      ])
      return {
        ...cgroup,
        close(ms) {
          const closed = cgroup.close(ms).then(() => {
            closing.delete(closed)
            if (files.remove(user) && users.get(userId) === user) users.delete(userId)
          })
          closing.add(closed)
          return closed
        },
      }
    },
    /** Removes all of them once the processes have ended. */
    async close(): Promise<void> {
      await Promise.all(closing)
      if (all) removeCgroup(files, all)
      all = null
    },
  }
}

/** See `openCgroups`. */
export type Cgroups = ReturnType<typeof openCgroups>

/** Returns why this process could not make cgroups for plugins, as a sentence; `null` where it could. */
export function cgroupProblem(): string | null {
  try {
    findBase(cgroupFiles)
    return null
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}
