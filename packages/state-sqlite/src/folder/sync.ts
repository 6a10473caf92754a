import { type FileHandle, open } from 'node:fs/promises'
import { syncFile } from '@svc/node'

/** What a file can be written from. */
type Content = Parameters<FileHandle['writeFile']>[0]

/** Makes a file that only its owner can read, where there is none: SQLite gives its logs the same mode. */
export async function makeOwn(file: string): Promise<void> {
  const handle = await open(file, 'a', 0o600)
  await handle.close()
}

/** Writes a file that only its owner can read, and has the disk keep it. `flags`: `wx`, a new one; `w`, in place of another. */
export async function writeSynced(file: string, content: Content, flags: 'w' | 'wx'): Promise<void> {
  const handle = await open(file, flags, 0o600)
  try {
    await handle.writeFile(content)
    await syncFile(handle)
  } finally {
    await handle.close()
  }
}
