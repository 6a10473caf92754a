import { open, rename as renameNow } from 'node:fs/promises'
import { type Clock, keepAliveClock } from './clock.ts'
import { syncFile } from './sync-file.ts'

/** What Windows says of a file or folder that somebody has open: a scanner of viruses, an index, a reader. */
const BUSY: ReadonlySet<string | undefined> = new Set(['EPERM', 'EACCES', 'EBUSY'])
/** How long each wait is, in ms: together 1.3 s. */
const WAITS_MS = [10, 20, 40, 80, 160, 320, 640]

/**
 * Renames a file or folder, in the place of what was there where the system does so. On Windows whoever has it open keeps it
 * from being renamed for a moment, and is waited for.
 */
export async function rename(
  from: string,
  to: string,
  {
    platform = process.platform,
    clock = keepAliveClock,
    tryOnce = renameNow,
  }: {
    /** The system; default: this one. */
    readonly platform?: NodeJS.Platform
    /** What the waits go by. */
    readonly clock?: Clock
    /** Renames once. */
    readonly tryOnce?: (from: string, to: string) => Promise<void>
  } = {},
): Promise<void> {
  for (const waitMs of platform === 'win32' ? WAITS_MS : []) {
    try {
      return await tryOnce(from, to)
    } catch (error) {
      if (!BUSY.has((error as NodeJS.ErrnoException).code)) throw error
      await new Promise<void>((resolve) => void clock.setTimer(resolve, waitMs))
    }
  }
  return tryOnce(from, to)
}

/** Has the disk keep which files a folder holds: a rename outlives a power cut only then. Windows opens no folders. */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return
  const handle = await open(folder, 'r')
  try {
    await syncFile(handle)
  } finally {
    await handle.close()
  }
}
