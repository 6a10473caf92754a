import { readdirSync, readFileSync } from 'node:fs'

interface Row {
  readonly pid: number
  readonly parent: number
  readonly group: number
  readonly session: number
  readonly dead: boolean
  readonly marked: boolean
}

/** Passes over /proc before giving up on a tree that forks faster than it is frozen. */
const PASSES_MAX = 32

/**
 * Kills every process of a tree that no namespace holds together.
 *
 * A tree is the root, its descendants, all of the root's group and session, and whoever carries the mark in
 * its environment (which catches double forks and `setsid`). Each pass freezes what it finds, so that nothing
 * forks away between looking and killing; when a pass finds no one new, all of them are killed. Without /proc
 * (macOS) the group alone is killed.
 */
export function killTree(root: number, mark: string): void {
  signal(-root, 'SIGSTOP')
  const found = new Set<number>()
  for (let pass = 0; pass < PASSES_MAX; pass++) {
    const fresh = members(root, mark, found)
    for (const pid of fresh) {
      signal(pid, 'SIGSTOP')
      found.add(pid)
    }
    if (fresh.length === 0) break
  }
  signal(-root, 'SIGKILL')
  for (const pid of found) signal(pid, 'SIGKILL')
}

/** Kills the process group that `root` leads; one that is gone already is fine. */
export function killGroup(root: number): void {
  signal(-root, 'SIGKILL')
}

function members(root: number, mark: string, known: ReadonlySet<number>): number[] {
  const rows = table(mark)
  const inside = new Set([root, ...known])
  const belongs = (row: Row) =>
    row.marked || row.group === root || row.session === root || inside.has(row.parent)
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

function table(mark: string): Row[] {
  return names().flatMap((name) => {
    const stat = /^\d+$/.test(name) ? text(`/proc/${name}/stat`) : undefined
    if (!stat) return []
    // The program's name stands in brackets and may hold anything; the numbers come after the last one.
    const [state, parent, group, session] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const ids = { pid: Number(name), parent: Number(parent), group: Number(group), session: Number(session) }
    return [{ ...ids, dead: state === 'Z' || state === 'X', marked: isMarked(ids.pid, mark) }]
  })
}

function isMarked(pid: number, mark: string): boolean {
  return text(`/proc/${pid}/environ`)?.includes(`SVC_TREE=${mark}\0`) ?? false
}

function names(): string[] {
  try {
    return readdirSync('/proc')
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
