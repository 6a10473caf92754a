import { createHash } from 'node:crypto'
import { type BigIntStats, createReadStream, lstatSync } from 'node:fs'
import { readdir, readlink } from 'node:fs/promises'
import { join } from 'node:path'
import { pause } from '@svc/node'

/** What is written down of a file, a folder or a link of an install. */
export interface SealedFile {
  /** From the folder of the install; `''` is that folder. */
  readonly path: string
  readonly mode: number
  readonly size: number
  /** SHA-256 of a file's content, a folder's names or a link's target. */
  readonly digest: string
  /** `mtime`, `ctime` and inode: while these are the same, the content is. */
  readonly facts: string
}

/** Writes down all of a folder. */
export async function sealFolder(folder: string): Promise<readonly SealedFile[]> {
  const paths = ['']
  for (const path of paths) {
    if (!lstatSync(join(folder, path)).isDirectory()) continue
    for (const name of await readdir(join(folder, path))) paths.push(path === '' ? name : `${path}/${name}`)
  }
  const sealed: SealedFile[] = []
  for (const path of paths) sealed.push(await sealFile(folder, path))
  return sealed
}

async function sealFile(folder: string, path: string): Promise<SealedFile> {
  const file = join(folder, path)
  const stats = lstatSync(file, { bigint: true })
  return { path, ...shapeOf(stats), digest: await digestOf(file, stats), facts: factsOf(stats) }
}

/**
 * Opens a look at an install against what was written down of it. `change` returns the first path that is not as it was,
 * or `null`: each file is looked at, and read only where it was touched. `batch` files are looked at in one turn of the
 * loop.
 */
export function openSeal(folder: string, sealed: readonly SealedFile[], batch: number) {
  let known = sealed

  async function isSame(one: SealedFile, stats: BigIntStats): Promise<boolean> {
    const { mode, size } = shapeOf(stats)
    return (
      mode === one.mode && size === one.size && (await digestOf(join(folder, one.path), stats)) === one.digest
    )
  }

  return {
    async change(): Promise<string | null> {
      const touched: [at: number, stats: BigIntStats][] = []
      for (const [at, one] of known.entries()) {
        if (at % batch === batch - 1) await pause()
        const stats = statsAt(join(folder, one.path))
        if (!stats) return one.path
        if (factsOf(stats) !== one.facts || shapeOf(stats).mode !== one.mode) touched.push([at, stats])
      }
      if (touched.length === 0) return null
      const next = [...known]
      for (const [at, stats] of touched) {
        const one = known[at]
        if (!one) continue
        const same = await isSame(one, stats).catch(() => false)
        if (!same) return one.path
        next[at] = { ...one, facts: factsOf(stats) }
      }
      known = next
      return null
    },
  }
}

/** What the system says of a file; nothing where it cannot be looked at, such as below what is no folder any more. */
function statsAt(file: string): BigIntStats | undefined {
  try {
    return lstatSync(file, { bigint: true })
  } catch {
    return undefined
  }
}

/** See `openSeal`. */
export type Seal = ReturnType<typeof openSeal>

/** Whether this is what `sealFolder` returned: what a file says may be damaged. */
export const areSealed = (value: unknown): value is readonly SealedFile[] =>
  Array.isArray(value) && value.length > 0 && value.every(isSealed)

const isSealed = (one: Partial<SealedFile> | null): boolean =>
  typeof one?.path === 'string' &&
  typeof one.mode === 'number' &&
  typeof one.size === 'number' &&
  typeof one.digest === 'string' &&
  typeof one.facts === 'string'

/** The size of a folder is the file system's own affair. */
const shapeOf = (stats: BigIntStats) => ({
  mode: Number(stats.mode),
  size: stats.isDirectory() ? 0 : Number(stats.size),
})
const factsOf = ({ mtimeNs, ctimeNs, ino }: BigIntStats): string => `${mtimeNs} ${ctimeNs} ${ino}`

async function digestOf(file: string, stats: BigIntStats): Promise<string> {
  const hash = createHash('sha256')
  if (stats.isDirectory()) hash.update(JSON.stringify((await readdir(file)).sort()))
  else if (stats.isSymbolicLink()) hash.update(await readlink(file))
  else if (stats.isFile()) for await (const chunk of createReadStream(file)) hash.update(chunk as Buffer)
  else throw new Error('an install may have only files, folders and links')
  return hash.digest('hex')
}
