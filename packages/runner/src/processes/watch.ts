import { readdir, stat } from 'node:fs/promises'
import type { Limits } from '@svc/contract/limits'
import type { Share } from '../isolation/shares.ts'
import type { Child } from './child.ts'
import { type Taken, takenBy, unlessGone } from './taken.ts'

/**
 * Looks from time to time at what a process and all it started take: processes, memory, CPU, open files, and room in its
 * folders. The kernel bounds each process by itself (`isolators.ts`); this bounds their sum, that of all of a user, and
 * that of all users. `onOver` is called once, with a sentence.
 */
export function watchBounds(
  child: Child,
  folders: readonly string[],
  {
    limits,
    share,
    isOnline = false,
  }: { readonly limits: Limits; readonly share: Share; readonly isOnline?: boolean },
  onOver: (problem: string) => void,
): void {
  if (child.pid === undefined) return
  let timer = setTimeout(check, limits.PLUGIN_WATCH_MS)
  let isOver = false
  const seen = { ticks: new Map<string, number>(), isOnline }
  void child.ended.then(() => {
    isOver = true
    share.drop()
    clearTimeout(timer)
  })

  async function check(): Promise<void> {
    const problem = await look().catch(hiddenIn)
    if (isOver) return
    if (problem === undefined) timer = setTimeout(check, limits.PLUGIN_WATCH_MS)
    else onOver(problem)
  }

  async function look(): Promise<string | undefined> {
    const first = child.first()
    const taken = first && (await takenBy(first, limits, seen))
    if (isOver) return undefined
    return (
      (taken && (overIn(taken, limits) ?? share.note(taken))) ??
      (await tooMuchIn(folders, taken?.unlinkedBytes ?? 0, limits))
    )
  }
}

/** What a process does not let anybody look at counts as too much; another error is of this moment. */
function hiddenIn(error: unknown): string | undefined {
  const { code = '' } = error as NodeJS.ErrnoException
  return ['EACCES', 'EPERM', 'ENAMETOOLONG'].includes(code)
    ? `what it takes cannot be looked at (${code})`
    : undefined
}

/** What a CPU is counted in: hundredths of a second. */
const TICKS_A_SECOND = 100

/** What it takes too much of, in a sentence. */
function overIn(taken: Taken, limits: Limits): string | undefined {
  const most: readonly (readonly [number, number, string])[] = [
    [taken.processes, limits.PLUGIN_PROCESSES_MAX, 'it has more than # processes'],
    [taken.threads, limits.PLUGIN_THREADS_MAX, 'it has more than # threads'],
    [taken.openFiles, limits.PLUGIN_OPEN_FILES_ALL_MAX, 'its processes have more than # open files'],
    [taken.sockets, limits.PLUGIN_SOCKETS_MAX, 'it has more than # sockets'],
    [taken.ticks / TICKS_A_SECOND, limits.PLUGIN_CPU_MAX_S, 'it used more than # seconds of CPU'],
    [taken.bytes, limits.PLUGIN_MEMORY_MAX_BYTES, 'it holds more than # bytes of memory'],
  ]
  const over = most.find(([number, max]) => number > max)
  return over?.[2].replace('#', String(over[1]))
}

/** Whether folders hold more than a plugin may. Rejects where one cannot be looked at that is there. */
async function tooMuchIn(
  folders: readonly string[],
  unlinkedBytes: number,
  limits: Limits,
): Promise<string | undefined> {
  const { PLUGIN_DISK_MAX_BYTES: bytes, PLUGIN_DISK_MAX_FILES: files } = limits
  let held = unlinkedBytes
  let count = 0
  const all = folders.map((folder) => Buffer.from(folder))
  for (const at of all) {
    if (held > bytes) break
    // A name need not be text.
    const entries = await readdir(at, { withFileTypes: true, encoding: 'buffer' }).catch(unlessGone)
    for (const entry of entries) {
      if (++count > files) return `its folder holds more than ${files} files`
      const path = Buffer.concat([at, Buffer.from('/'), entry.name])
      if (entry.isDirectory()) all.push(path)
      else if (entry.isFile()) held += (await stat(path).catch(() => undefined))?.size ?? 0
    }
  }
  return held > bytes ? `its folder holds more than ${bytes} bytes` : undefined
}
