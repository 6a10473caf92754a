import { type ChildProcess, type IOType, spawn } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import type { Readable } from 'node:stream'
import { wordsOf } from '@svc/mcp'
import type { Cell } from '../isolation/bubblewrap.ts'
import { INPUT } from '../isolation/isolators.ts'
import { inherited } from './inherited.ts'

type Process = ChildProcess & { readonly stderr: Readable }

/** Beside stderr, which bubblewrap uses as well: stdin, stdout and the lifeline by descriptors of their own. */
const WALLED = ['ignore', 'ignore', 'pipe', 'pipe', 'pipe', 'pipe'] as const

const BARE = ['ignore', 'pipe', 'pipe', 'pipe'] as const

/**
 * `spawn` reports most failures as an event and some (a NUL in an argument, too long a list) as an exception; so does what
 * looks at the disk for the words of its walls.
 */
export function spawnChild(
  words: () => readonly string[],
  where: { readonly cwd: string; readonly env: Readonly<Record<string, string>> },
  cell: Cell | undefined,
): { process: Process } | { problem: string } {
  const opened: number[] = []
  const open = (path: string) => {
    const fd = openSync(path, 'r')
    opened.push(fd)
    return fd
  }
  try {
    // Opened for each: who reads it moves the place of all who share it.
    const filter = cell?.filter === undefined ? [] : [open(cell.filter)]
    const given = cell ? [...WALLED, ...filter] : BARE
    const left = inherited.filter((fd) => fd >= given.length)
    const stdio: (IOType | number)[] = [...given]
    // Of a descriptor that is ignored a program still gets what this process has there.
    const nothing = left.length === 0 ? 'ignore' : open('/dev/null')
    for (const fd of left) {
      while (stdio.length < fd) stdio.push('ignore')
      stdio[fd] = nothing
    }
    const [program = '', ...args] = words()
    const [file, ...before] = wordsOf(program)
    return {
      process: spawn(file, [...before, ...args], {
        ...where,
        // On Windows that is a console of its own.
        detached: process.platform !== 'win32',
        windowsHide: true,
        stdio: INPUT === 0 ? 'pipe' : stdio,
      }) as Process,
    }
  } catch (error) {
    return { problem: notStarted(error) }
  } finally {
    for (const fd of opened) closeSync(fd)
  }
}

/** Why a process is not there, as an ending says it. */
export const notStarted = (error: unknown): string =>
  `it could not be started: ${error instanceof Error ? error.message : String(error)}`
