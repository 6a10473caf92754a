import { randomUUID } from 'node:crypto'
import { link, open as openFile, rm } from 'node:fs/promises'
import path from 'node:path'
import { rename, syncFile, syncFolder } from '@svc/node'

/** The bits of a file that let others than its owner in. */
const OTHERS = 0o077

/** Reads a file that is its user's alone; `null` where there is none. Throws `open(file)` where others can read it. */
export async function readPrivateFile(file: string, open: (file: string) => Error): Promise<string | null> {
  const handle = await openFile(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw error
  })
  if (handle === null) return null
  try {
    const { mode, uid } = await handle.stat()
    const isOwn = process.getuid === undefined || uid === process.getuid()
    if (process.platform !== 'win32' && (!isOwn || (mode & OTHERS) !== 0)) throw open(file)
    return await handle.readFile('utf8')
  } finally {
    await handle.close()
  }
}

/** Writes a file whole or not at all, in the place of what was there; a crash afterwards does not lose it. */
export async function replaceFile(file: string, text: string): Promise<void> {
  await drafted(file, text, (draft) => rename(draft, file))
}

/** Writes a file where there is none; of two who do so at once the first one's stays. */
export async function linkPrivateFile(file: string, text: string): Promise<void> {
  await drafted(file, text, (draft) =>
    link(draft, file).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
    }),
  )
}

async function drafted(file: string, text: string, place: (draft: string) => Promise<void>): Promise<void> {
  const draft = `${file}.${randomUUID()}`
  try {
    const handle = await openFile(draft, 'wx', 0o600)
    try {
      await handle.writeFile(text)
      await syncFile(handle)
    } finally {
      await handle.close()
    }
    await place(draft)
    await syncFolder(path.dirname(file))
  } finally {
    await rm(draft, { force: true })
  }
}
