import { readdirSync, readFileSync } from 'node:fs'

/** A descriptor that a program which is started does not get (O_CLOEXEC), in the flags that the kernel tells. */
const NOT_PASSED_ON = 0o2000000
const FIRST_OTHER = 3

/**
 * The descriptors beside the first three that every program gets which this process starts, because whoever started it left
 * them open: a file of an editor, the lock of a script. By a folder among them a plugin would walk out of its walls. Node
 * marks those below 17 by itself; what it opens later it marks as well, so that they are asked for once.
 */
export const inherited: readonly number[] = find()

function find(): readonly number[] {
  try {
    return readdirSync('/proc/self/fd')
      .map(Number)
      .filter(isPassedOn)
      .sort((a, b) => a - b)
  } catch {
    // Without /proc (macOS) there are no walls.
    return []
  }
}

function isPassedOn(fd: number): boolean {
  try {
    const [, flags = ''] = /^flags:\s*(\d+)$/m.exec(readFileSync(`/proc/self/fdinfo/${fd}`, 'latin1')) ?? []
    return fd >= FIRST_OTHER && (Number.parseInt(flags, 8) & NOT_PASSED_ON) === 0
  } catch {
    // That of this look, which is over.
    return false
  }
}
