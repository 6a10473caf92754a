import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { Context } from '@svc/plugin'

/** What the tool answers. */
export interface Duplicates {
  readonly files: number
  /** What would be free if of each group one file stayed. */
  readonly wasted_bytes: number
  /** Files of the same content, at most {@link GROUPS_MAX} groups: the one that wastes most first. */
  readonly groups: readonly { readonly bytes: number; readonly files: readonly string[] }[]
}

/** Two files of one size: only such are read. */
interface Found {
  readonly file: string
  readonly bytes: number
}

const GROUPS_MAX = 100
/** Often enough for a bar; a host takes 50 a second. */
const TOLD_EVERY_MS = 200

/** Finds files of the same content. Its signal stops it within a file, and it tells how many files are read. */
export async function findDuplicates(folder: string, minBytes: number, ctx: Context): Promise<Duplicates> {
  const { signal, emitProgress } = ctx
  if (!path.isAbsolute(folder))
    throw new Error(`folder must be an absolute path, got ${JSON.stringify(folder)}`)
  const all = (await listFiles(folder, ctx)).filter(({ bytes }) => bytes >= minBytes)
  const candidates = [...Map.groupBy(all, ({ bytes }) => bytes).values()]
    .filter(({ length }) => length > 1)
    .flat()

  const hashes = new Map<string, string>()
  let toldAt = Number.NEGATIVE_INFINITY
  for (const [done, { file }] of candidates.entries()) {
    signal.throwIfAborted()
    if (performance.now() - toldAt >= TOLD_EVERY_MS) {
      emitProgress({ done, of: candidates.length, file })
      toldAt = performance.now()
    }
    hashes.set(file, await hashOf(file, signal))
  }

  const groups = [...Map.groupBy(candidates, ({ file }) => hashes.get(file)).values()]
    .filter(({ length }) => length > 1)
    .map((same) => ({ bytes: same[0]?.bytes ?? 0, files: same.map(({ file }) => file).sort() }))
    .sort((a, b) => waste(b) - waste(a))
  return {
    files: all.length,
    wasted_bytes: groups.reduce((sum, group) => sum + waste(group), 0),
    groups: groups.slice(0, GROUPS_MAX),
  }
}

/**
 * Every plain file below a folder; links are not followed, and what may not be read is logged and left out. It goes
 * folder by folder: a `readdir` that is recursive lists the whole tree before it looks at the signal.
 */
async function listFiles(folder: string, ctx: Context): Promise<Found[]> {
  const { signal, log } = ctx
  const found: Found[] = []
  const folders = [folder]
  for (const place of folders) {
    const entries = await readdir(place, { withFileTypes: true }).catch((error: Error) => {
      if (place === folder) throw error
      log(`left out: ${error.message}`)
      return []
    })
    for (const entry of entries) {
      signal.throwIfAborted()
      const file = path.join(place, entry.name)
      if (entry.isDirectory()) folders.push(file)
      if (!entry.isFile()) continue
      const { size } = await stat(file).catch((error: Error) => {
        log(`left out: ${error.message}`)
        return { size: -1 }
      })
      found.push({ file, bytes: size })
    }
  }
  return found
}

async function hashOf(file: string, signal: AbortSignal): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(file), hash, { signal })
  return hash.digest('hex')
}

const waste = ({ bytes, files }: { readonly bytes: number; readonly files: readonly string[] }) =>
  bytes * (files.length - 1)
