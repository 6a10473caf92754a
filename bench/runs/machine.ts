import { execFileSync } from 'node:child_process'
import { availableParallelism, cpus, loadavg, totalmem } from 'node:os'
import { countsInstructions } from '../lib/instructions.ts'

/** The machine of a run. */
export interface Machine {
  readonly cores: number
  readonly model: string
  readonly memoryBytes: number
  readonly node: string
  readonly platform: string
  /** Whether `perf` counts instructions of a process here. */
  readonly countsInstructions: boolean
}

/** Returns what this machine is. */
export function thisMachine(): Machine {
  return {
    cores: availableParallelism(),
    model: cpus()[0]?.model ?? 'unknown',
    memoryBytes: totalmem(),
    node: process.version,
    platform: `${process.platform} ${process.arch}`,
    countsInstructions: countsInstructions(),
  }
}

/** Returns how many processes wanted a core over the last minute, on average. */
export const loadNow = (): number => loadavg()[0] ?? Number.NaN

/** Returns the commit of the sources, and whether they are as it has them; `unknown` outside a clone. */
export function thisCommit(): { readonly commit: string; readonly isClean: boolean } {
  const git = (...args: string[]) =>
    execFileSync('git', args, {
      cwd: import.meta.dirname,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    })
  try {
    return {
      commit: git('rev-parse', '--short=8', 'HEAD').trim(),
      isClean: git('status', '--porcelain').trim() === '',
    }
  } catch {
    return { commit: 'unknown', isClean: false }
  }
}
