import { copyFile, mkdir, readdir, readFile, rm } from 'node:fs/promises'
import path from 'node:path'
import { rename } from '@svc/node'

/**
 * Moves all files of a folder into another, which has no others then. What is the same in both stays as it is, so that whoever
 * reads the other folder meanwhile finds each such file whole.
 */
export async function replaceFiles(into: string, from: string): Promise<void> {
  const fresh = await entriesIn(from)
  await mkdir(into, { recursive: true })
  for (const [name, kind] of await entriesIn(into))
    if (fresh.get(name) !== kind) await rm(path.join(into, name), { recursive: true, force: true })
  for (const [name, kind] of fresh) {
    const [source, target] = [path.join(from, name), path.join(into, name)]
    if (kind === 'folder') await mkdir(target, { recursive: true })
    else if (!(await isSame(source, target))) await move(source, target)
  }
}

/** The paths of all that is in a folder, each folder before what is in it. */
async function entriesIn(folder: string): Promise<Map<string, 'file' | 'folder'>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const kinds = entries.map((entry) => {
    const name = path.relative(folder, path.join(entry.parentPath, entry.name))
    return [name, entry.isDirectory() ? 'folder' : 'file'] as const
  })
  return new Map(kinds.sort(([a], [b]) => a.length - b.length))
}

async function isSame(one: string, other: string): Promise<boolean> {
  const [a, b] = await Promise.all([readFile(one), readFile(other).catch(() => null)])
  return b !== null && a.equals(b)
}

/** In one step, where both are on one file system. */
const move = (from: string, to: string): Promise<void> =>
  rename(from, to).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EXDEV') throw error
    return copyFile(from, to)
  })
