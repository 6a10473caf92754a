import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import type { Readable } from 'node:stream'
import type { Cell } from '../isolation/bubblewrap.ts'
import { INPUT } from '../isolation/isolators.ts'

type Process = ChildProcess & { readonly stderr: Readable }

/** Beside stderr, which bubblewrap uses as well: stdin, stdout and the lifeline by descriptors of their own. */
const WALLED = ['ignore', 'ignore', 'pipe', 'pipe', 'pipe', 'pipe'] as const

/**
 * `spawn` reports most failures as an event and some (a NUL in an argument, too long a list) as an exception; so does what
 * looks at the disk for the words of its walls.
 */
export function spawnChild(
  words: () => readonly string[],
  where: { readonly cwd: string; readonly env: Readonly<Record<string, string>> },
  cell: Cell | undefined,
): { process: Process } | { problem: string } {
  let filter: number | undefined
  try {
    // Opened for each: who reads it moves the place of all who share it.
    filter = cell?.filter === undefined ? undefined : openSync(cell.filter, 'r')
    const walled: StdioOptions = [...WALLED, ...(filter === undefined ? [] : [filter])]
    const stdio: StdioOptions = INPUT === 0 ? 'pipe' : cell ? walled : ['ignore', 'pipe', 'pipe', 'pipe']
    const [file = '', ...args] = words()
    return { process: spawn(file, args, { ...where, detached: true, stdio }) as Process }
  } catch (error) {
    return { problem: notStarted(error) }
  } finally {
    if (filter !== undefined) closeSync(filter)
  }
}

/** Why a process is not there, as an ending says it. */
export const notStarted = (error: unknown): string =>
  `it could not be started: ${error instanceof Error ? error.message : String(error)}`
