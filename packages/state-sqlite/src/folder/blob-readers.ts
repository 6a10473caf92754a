import { randomBytes } from 'node:crypto'
import { mkdir, rm, stat, utimes, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { every, systemClock } from '@svc/node'
import { unlessAbsent } from './absent.ts'
import { namesIn } from './blob-files.ts'

/** How often a reader of blobs says that it is still there, and after how long it is gone, in ms. */
const BEAT_MS = 20_000
const GONE_MS = 120_000

/**
 * Whether somebody copies the blobs just now. Readers that were killed are forgotten, and when there is none, so are the
 * blobs that were kept for them.
 */
export async function hasBlobReaders(dir: string, now: number): Promise<boolean> {
  const readers = path.join(dir, 'readers')
  let live = 0
  let gone = 0
  for (const name of await namesIn(readers)) {
    const file = path.join(readers, name)
    const found = await unlessAbsent(stat(file))
    if (found && now - found.mtimeMs < GONE_MS) live += 1
    else {
      gone += 1
      await rm(file, { force: true })
    }
  }
  if (gone > 0 && live === 0) await clearRemoved(dir)
  return live > 0
}

/**
 * Says that the blobs are being copied: until what it returns is called, a host keeps those that it removes. On a disk
 * that nobody can write there is nothing to say, for nobody removes any.
 */
export async function announceBlobReader(dir: string): Promise<() => Promise<void>> {
  const readers = path.join(dir, 'readers')
  const file = path.join(readers, `${process.pid}-${randomBytes(4).toString('hex')}`)
  try {
    await mkdir(readers, { recursive: true, mode: 0o700 })
    await writeFile(file, '', { mode: 0o600 })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EROFS') return async () => {}
    throw error
  }
  const stop = every(BEAT_MS, systemClock, () => {
    const now = systemClock.now() / 1000
    void utimes(file, now, now).catch(() => {})
  })
  return async () => {
    stop()
    await rm(file, { force: true })
    if (!(await hasBlobReaders(dir, systemClock.now()))) await clearRemoved(dir)
  }
}

/** Forgets the blobs that were kept for readers. */
export async function clearRemoved(dir: string): Promise<void> {
  const removed = path.join(dir, 'removed')
  for (const name of await namesIn(removed)) await rm(path.join(removed, name), { force: true })
}
