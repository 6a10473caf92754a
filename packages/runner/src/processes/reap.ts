import { readdirSync, readFileSync } from 'node:fs'
import { signalGroup } from '@svc/mcp'
import { statFields } from './stat-fields.ts'

interface Row {
  readonly pid: number
  readonly parent: number
  readonly group: number
  readonly session: number
  readonly dead: boolean
  readonly marked: MarkState
}

/** Whether a process carries the mark; `unsure` for one that begins a program and has no environment yet. */
type MarkState = 'yes' | 'no' | 'unsure'

/** Passes over /proc before giving up on a tree that forks faster than it is frozen. */
const PASSES_MAX = 256

/**
 * Kills every process of a tree that no namespace holds together.
 *
 * A tree is the root, its descendants, all of the root's group and session, and whoever carries the mark in
 * its environment (which catches double forks and `setsid`). Each pass freezes what it finds, so that nothing
 * forks away between looking and killing; when a pass finds no one new, and no one who could be, all of them are
 * killed. A parent may fork and be gone between the list of processes and the look at it: a pass that is followed by a
 * list with others in it is not the last. Each process is looked at once, so that later passes are short. Without /proc
 * (macOS) the group alone is killed, and on Windows what is found by its parentage.
 */
export function killTree(root: number, mark: string): void {
  if (process.platform === 'win32') {
    killGroup(root)
    return
  }
  signal(-root, 'SIGSTOP')
  const rows = new Map<number, Row>()
  const found = new Set<number>()
  const isNew = (pid: number) => !found.has(pid) && (rows.get(pid)?.marked ?? 'unsure') === 'unsure'
  let fresh = pids()
  for (let pass = 0; pass < PASSES_MAX && fresh.length > 0; pass++) {
    for (const pid of fresh) {
      const row = look(pid, mark)
      if (row) rows.set(pid, row)
    }
    for (const pid of members(root, [...rows.values()], found)) {
      signal(pid, 'SIGSTOP')
      found.add(pid)
    }
    fresh = pids().filter(isNew)
  }
  signal(-root, 'SIGKILL')
  for (const pid of found) signal(pid, 'SIGKILL')
}

/** Kills the process group that `root` leads; one that is gone already is fine. */
export const killGroup = (root: number): void => signalGroup(root, 'SIGKILL')

function members(root: number, rows: readonly Row[], known: ReadonlySet<number>): number[] {
  const inside = new Set([root, ...known])
  const belongs = (row: Row) =>
    row.marked === 'yes' || row.group === root || row.session === root || inside.has(row.parent)
  for (let grew = true; grew; ) {
    grew = false
    for (const row of rows) {
      if (inside.has(row.pid) || !belongs(row)) continue
      inside.add(row.pid)
      grew = true
    }
  }
  return rows.filter((row) => inside.has(row.pid) && !known.has(row.pid) && !row.dead).map((row) => row.pid)
}

function look(pid: number, mark: string): Row | undefined {
  const stat = text(`/proc/${pid}/stat`)
  if (!stat) return undefined
  const [state, parent, group, session] = statFields(stat)
  const ids = { pid, parent: Number(parent), group: Number(group), session: Number(session) }
  return { ...ids, dead: state === 'Z' || state === 'X', marked: isMarked(pid, mark) }
}

function isMarked(pid: number, mark: string): MarkState {
  const environ = text(`/proc/${pid}/environ`)
  if (environ) return environ.includes(`SVC_TREE=${mark}\0`) ? 'yes' : 'no'
  return environ === '' && isBeginning(pid) ? 'unsure' : 'no'
}

/**
 * Whether a process without an environment has memory and was not given one yet: `execve` takes the old one away some
 * moments before it writes the new one. Threads of the kernel and what is exiting have no memory.
 */
function isBeginning(pid: number): boolean {
  const numbers = statFields(text(`/proc/${pid}/stat`) ?? '')
  const [size, from, to] = [numbers[20], numbers[47], numbers[48]]
  return size !== undefined && size !== '0' && (to === '0' || from !== to)
}

function pids(): number[] {
  try {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map(Number)
  } catch {
    return []
  }
}

function text(file: string): string | undefined {
  try {
    return readFileSync(file, 'latin1')
  } catch {
    return undefined
  }
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch {
    // It is gone already.
  }
}
