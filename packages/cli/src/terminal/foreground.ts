import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/**
 * Whether this process is in the foreground of its terminal. In the background the system stops it where it reads keys or
 * changes the terminal. Where that cannot be found out, it is said to be in the background.
 */
export function isForeground(): boolean {
  if (process.platform === 'win32') return true
  try {
    const [own, front] = process.platform === 'linux' ? groupsFromProc() : groupsFromPs()
    return own !== undefined && own === front
  } catch {
    return false
  }
}

/** This process's group, and the one in the foreground: behind the name of the program, which may have spaces. */
function groupsFromProc(): (string | undefined)[] {
  const stat = readFileSync('/proc/self/stat', 'utf8')
  const [, , own, , , front] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return [own, front]
}

const groupsFromPs = (): string[] =>
  execFileSync('ps', ['-o', 'pgid=,tpgid=', '-p', String(process.pid)], { encoding: 'utf8' })
    .trim()
    .split(/\s+/)
