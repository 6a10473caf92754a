import { type BigIntStats, readFileSync, readlinkSync, statSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import type { Limits } from '@svc/contract/limits'
import { pause } from '@svc/node'
import { partsOf, unlinkedIn } from './mapped-files.ts'

/** Files that are looked at before others have their turn. */
const BATCH = 16

/** Counts the open and mapped files of processes, each once, however many have it, and what the kernel keeps for them. */
export function openFiles(limits: Limits) {
  const {
    PLUGIN_OPEN_FILES_ALL_MAX: most,
    PLUGIN_WATCHES_MAX: mostWatches,
    PLUGIN_MAPS_MAX_BYTES: mostMapsBytes,
  } = limits
  const unlinked = new Map<string, number>()
  const pipes = new Set<bigint>()
  let count = 0
  let watches = 0
  let watchers = 0
  let sent = 0
  let mapsBytes = 0

  /** Each thing that the kernel keeps for an open file is a line of its notes. Past so many no more are read. */
  async function countNotes(process: string, fd: string): Promise<void> {
    if (watches > mostWatches) return
    try {
      const notes = await readFile(`${process}/fdinfo/${fd}`, 'latin1')
      watches += notes.match(NOTES)?.length ?? 0
      if (readlinkSync(`${process}/fd/${fd}`) === WATCHER) watchers++
    } catch (error) {
      unlessOver(process)(error)
    }
  }

  return {
    /** Looks at one process. */
    async look(process: string): Promise<void> {
      for (const fd of await readdir(`${process}/fd`).catch(unlessOver(process))) {
        if (++count > most) return
        if (count % BATCH === 0) await pause()
        const found = statOf(`${process}/fd/${fd}`)
        if (found?.isFIFO()) pipes.add(found.ino)
        else if (found?.isSocket()) sent += Number(SENT.exec(text(`${process}/fdinfo/${fd}`))?.[1] ?? 0)
        else if (found && !found.isDirectory() && !found.isCharacterDevice()) await countNotes(process, fd)
        if (found?.isFile() && found.nlink === 0n) unlinked.set(String(found.ino), Number(found.size))
      }
      if (mapsBytes > mostMapsBytes) return
      const maps = String(await readFile(`${process}/maps`, 'latin1').catch(unlessOver(process)))
      mapsBytes += maps.length
      for (const part of partsOf(maps)) {
        await pause()
        for (const [inode, { range, bytes }] of unlinkedIn(part)) {
          // Root sees the file behind a mapping; others see how much of it is mapped.
          const size = Number(statOf(`${process}/map_files/${range}`)?.size ?? bytes)
          unlinked.set(inode, Math.max(size, unlinked.get(inode) ?? 0))
        }
      }
    },
    /** Returns what was seen of all of them. */
    found: () => ({
      openFiles: count,
      pipes: pipes.size,
      unlinkedBytes: [...unlinked.values()].reduce((sum, bytes) => sum + bytes, 0),
      watches,
      watchers,
      sentFiles: sent,
      mapsBytes,
    }),
  }
}

/** Lines about what epoll and inotify watch, and about locks. */
const NOTES = /^(tfd|inotify|lock):/gm
/** Files that were sent to a socket, and that nobody has taken from there yet: no process has them open. */
const SENT = /^scm_fds: (\d+)$/m

const WATCHER = 'anon_inode:inotify'

/** Whether a process is gone, or has no memory any more: that ends a moment before its state says so. */
export const isOver = (status: string): boolean => !/^VmSize:/m.test(status)

/** Returns nothing of a process that has ended meanwhile; what is hidden on purpose is thrown. */
export const unlessGone = (error: unknown): never[] => {
  if (['ENOENT', 'ESRCH', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return []
  throw error
}

/** The same of one that is ending, too: what it still shows belongs to root. */
export const unlessOver =
  (process: string) =>
  (error: unknown): never[] =>
    isOver(text(`${process}/status`)) ? [] : unlessGone(error)

/** Returns a small file of /proc; an empty text where it is gone. */
export function text(file: string): string {
  try {
    return readFileSync(file, 'latin1')
  } catch {
    return ''
  }
}

/** What is open by that number; nothing where it was closed, or its process has ended meanwhile. */
function statOf(file: string): BigIntStats | undefined {
  try {
    return statSync(file, { bigint: true })
  } catch {
    return undefined
  }
}
