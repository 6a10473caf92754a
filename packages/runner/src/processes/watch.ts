import { type Dirent, type OpenDirOptions, opendirSync, statSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import type { Limits } from '@svc/contract/limits'
import { pause } from '@svc/node'
import type { Share } from '../isolation/shares.ts'
import type { Cgroup } from './cgroup.ts'
import type { Child } from './child.ts'
import type { FirstProcess } from './first-process.ts'
import { unlessGone, unlessOver } from './open-files.ts'
import { type Taken, takenBy } from './taken.ts'

/** How a process is held to its limits. */
interface BoundParts {
  readonly limits: Limits
  readonly share: Share
  /** Knows more than what is counted, where there is one. It goes with the process. */
  readonly cgroup: Cgroup | undefined
}

/**
 * Looks from time to time at what a process and all it started take: processes, memory, CPU, open files, and room in its
 * folders. The kernel bounds each process by itself (`isolators.ts`); this bounds their sum, that of all of a user, and
 * that of all users. `onOver` is called once, with a sentence.
 */
export function watchBounds(
  child: Pick<Child, 'ended' | 'first'>,
  folders: readonly string[],
  { limits, share, cgroup }: BoundParts,
  onOver: (problem: string) => void,
): void {
  let timer = setTimeout(check, limits.PLUGIN_WATCH_MS)
  let isOver = false
  let sentSinceMs: number | undefined
  let hidden: string | undefined
  const ticks = new Map<string, number>()
  void child.ended.then(() => {
    isOver = true
    share.drop()
    void cgroup?.close(limits.SWEEP_MS)
    clearTimeout(timer)
  })

  async function check(): Promise<void> {
    // The walls themselves hide for a moment while they are built.
    const before = hidden
    hidden = undefined
    const problem = await look().catch((error) => {
      hidden = hiddenIn(error)
      return before && hidden
    })
    if (isOver) return
    if (problem === undefined) timer = setTimeout(check, limits.PLUGIN_WATCH_MS)
    else onOver(problem)
  }

  async function look(): Promise<string | undefined> {
    const first = child.first()
    const counted = first && (await takenBy(first, limits, ticks))
    if (isOver) return undefined
    const taken = counted && { ...counted, ...cgroup?.taken() }
    if (!taken?.sentFiles) sentSinceMs = undefined
    else sentSinceMs ??= performance.now()
    if (sentSinceMs !== undefined && performance.now() - sentSinceMs > limits.PLUGIN_FILES_SENT_MS)
      return `an open file that it sent was not taken for ${limits.PLUGIN_FILES_SENT_MS} ms`
    const inMemory = first === undefined ? 0 : await filesInMemory(first)
    return (
      (taken && (overIn(taken, limits) ?? share.note(taken))) ??
      (await tooMuchIn(folders, { bytes: taken?.unlinkedBytes ?? 0, files: inMemory }, limits))
    )
  }
}

/** The files of `/tmp` and `/dev/shm`: an empty one takes memory as well. */
async function filesInMemory({ pid }: FirstProcess): Promise<number> {
  const found = await Promise.all(
    ['tmp', 'dev/shm'].map((name) => statfs(`/proc/${pid}/root/${name}`).catch(unlessOver(`/proc/${pid}`))),
  )
  return found.flat().reduce((sum, { files, ffree }) => sum + files - ffree, 0)
}

const HIDING = ['EACCES', 'EPERM', 'ENAMETOOLONG', 'ENOMEM', 'ERR_STRING_TOO_LONG']

/** What a process does not let anybody look at counts as too much; another error is of this moment. */
function hiddenIn(error: unknown): string | undefined {
  const { code = '' } = error as NodeJS.ErrnoException
  return HIDING.includes(code) ? `what it takes cannot be looked at (${code})` : undefined
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
    [taken.watches, limits.PLUGIN_WATCHES_MAX, 'its processes have more than # watches and locks'],
    [
      taken.mapsBytes,
      limits.PLUGIN_MAPS_MAX_BYTES,
      'the lists of what its processes map have more than # bytes',
    ],
    [taken.watchers, limits.PLUGIN_WATCHERS_MAX, 'its processes have more than # watchers of files'],
    [taken.ticks / TICKS_A_SECOND, limits.PLUGIN_CPU_MAX_S, 'it used more than # seconds of CPU'],
    [taken.bytes, limits.PLUGIN_MEMORY_MAX_BYTES, 'it holds more than # bytes of memory'],
  ]
  const over = most.find(([number, max]) => number > max)
  return over?.[2].replace('#', String(over[1]))
}

/** Whether folders hold more than a plugin may. Rejects where one cannot be looked at that is there. */
async function tooMuchIn(
  folders: readonly string[],
  besides: { readonly bytes: number; readonly files: number },
  limits: Limits,
): Promise<string | undefined> {
  const { PLUGIN_DISK_MAX_BYTES: bytes, PLUGIN_DISK_MAX_FILES: files } = limits
  let { bytes: held, files: count } = besides
  if (count > files) return `its folder holds more than ${files} files`
  const all = folders.map((folder) => Buffer.from(folder))
  for (const at of all) {
    if (held > bytes) break
    for (const entry of entriesOf(at)) {
      if (++count > files) return `its folder holds more than ${files} files`
      if (count % ENTRIES_AT_ONCE === 0) await pause()
      const path = Buffer.concat([at, Buffer.from('/'), entry.name])
      if (entry.isDirectory()) all.push(path)
      else if (entry.isFile()) held += sizeOf(path)
    }
  }
  return held > bytes ? `its folder holds more than ${bytes} bytes` : undefined
}

function sizeOf(file: Buffer): number {
  try {
    return statSync(file, { throwIfNoEntry: false })?.size ?? 0
  } catch {
    return 0
  }
}

/**
 * What lies in a folder, piece by piece: there may be any number. An install has many thousands of files, and to wait for
 * each takes five times as much CPU.
 */
function* entriesOf(folder: Buffer): Iterable<Dirent<Buffer>> {
  // A name need not be text.
  const options = { encoding: 'buffer', bufferSize: ENTRIES_AT_ONCE } as unknown as OpenDirOptions
  try {
    const open = opendirSync(folder, options)
    try {
      for (let entry = open.readSync(); entry; entry = open.readSync())
        yield entry as unknown as Dirent<Buffer>
    } finally {
      open.closeSync()
    }
  } catch (error) {
    unlessGone(error)
  }
}
/** Entries that are looked at before others have their turn. */
const ENTRIES_AT_ONCE = 128
