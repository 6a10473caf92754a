import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { CgroupFiles } from './cgroup-files.ts'
import type { Taken } from './taken.ts'

/** The cgroup of one process with all that it starts, which holds them to their limits. */
export interface Cgroup {
  readonly path: string
  /** Returns what they take. Throws once it is removed. */
  taken(): Pick<Taken, 'bytes' | 'threads' | 'ticks'>
  /** Returns why the kernel ended them, as a sentence; nothing where it did not. */
  problem(): string | undefined
  /** Kills all of them. Twice is harmless. */
  kill(): void
  /** Kills what is left and removes it. Never rejects: what cannot be removed in `ms` is for the next start. */
  close(ms: number): Promise<void>
}

/** The monitor of bubblewrap, which is not behind the walls. */
export const OUTSIDE = 1
/** A hundredth of a second. */
const TICK_US = 10_000
/** How often one is looked at that does not end at once. */
const LOOK_MS = 20

/**
 * Looks after a cgroup that is there.
 *
 * @param memory the limits of memory that it has by itself and with others: where each is, and how a sentence tells it
 */
export function keepCgroup(
  files: CgroupFiles,
  path: string,
  memory: readonly (readonly [path: string, problem: string])[],
): Cgroup {
  let told: string | undefined
  const numberIn = (file: string, name: string): number =>
    Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(files.read(file))?.[1] ?? 0)
  const all = (name: string) => Number(files.read(join(path, name)))

  function problem(): string | undefined {
    if (told !== undefined || !files.isThere(path)) return told
    if (numberIn(join(path, 'memory.events'), 'oom_kill') === 0) return undefined
    const over = memory.find(([at]) => numberIn(join(at, 'memory.events.local'), 'oom') > 0)
    told = over?.[1] ?? 'the machine had no memory left'
    return told
  }
  function kill(): void {
    if (files.isThere(path)) files.write(join(path, 'cgroup.kill'), '1')
  }

  return {
    path,
    taken() {
      const stat = join(path, 'memory.stat')
      // What the kernel gives back when somebody needs it is nobody's.
      const free = numberIn(stat, 'file') - numberIn(stat, 'shmem') + numberIn(stat, 'slab_reclaimable')
      return {
        bytes: Math.max(all('memory.current') - free, 0),
        threads: all('pids.current') - OUTSIDE,
        ticks: numberIn(join(path, 'cpu.stat'), 'usage_usec') / TICK_US,
      }
    },
    problem,
    kill,
    async close(ms) {
      problem()
      kill()
      const untilMs = performance.now() + ms
      while (!files.remove(path) && performance.now() < untilMs) await pause(LOOK_MS)
    },
  }
}
