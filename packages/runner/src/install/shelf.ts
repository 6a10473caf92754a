import { randomBytes } from 'node:crypto'
import {
  access,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  utimes,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { isAbsolute, join } from 'node:path'
import { problem } from './problem.ts'
import { areWords, commandIn, type Word } from './word.ts'

/** Written last, into the folder of an install that is whole: what starts it. */
const START = 'start.json'
/** What was installed lies in here, so that no file of a plugin can be taken for ours. */
const FILES = 'files'
const PART = /^\.part-(\d+)-/
/** How often an install that is damaged is moved out of the way. */
const TRIES = 8
const INSTALL = /^[\da-f]{64}$/

/** The unfinished installs of this process. */
const ownParts = new Set<string>()

/**
 * The folder with the installs of a machine, one folder each. An install is made in a fresh folder of its own and then
 * renamed, so that what was interrupted never looks whole; such remains go at the next start.
 *
 * `name` is a digest. Everything throws what the disk says.
 */
export function openShelf({ root, keptMs, now }: ShelfOptions) {
  let base: Promise<string> | undefined
  const ready = () => {
    base ??= (
      root === undefined ? mkdtemp(join(tmpdir(), 'svc-installs-')) : swept(root, now() - keptMs)
    ).catch((error: unknown) => {
      base = undefined
      throw error
    })
    return base
  }

  /** The command of an install that is whole, or nothing. */
  async function find(name: string): Promise<readonly string[] | undefined> {
    const folder = join(await ready(), name)
    const words = await wordsOf(folder)
    if (!words) return undefined
    const time = now() / 1_000
    await utimes(join(folder, START), time, time)
    return commandOf(folder, words)
  }

  return {
    find,
    /** Makes an install by `fill`, which is given a fresh folder of mode 0700; answers its command. */
    async place(
      name: string,
      fill: (folder: string) => Promise<readonly Word[]>,
    ): Promise<readonly string[]> {
      const at = await ready()
      const part = join(at, `.part-${process.pid}-${randomBytes(8).toString('hex')}`)
      ownParts.add(part)
      try {
        const files = join(part, FILES)
        await mkdir(files, { recursive: true, mode: 0o700 })
        const words = await fill(files)
        await writeFile(join(part, START), JSON.stringify({ start: words }), { flag: 'wx', mode: 0o600 })
        const folder = join(at, name)
        for (let tries = 0; tries < TRIES; tries++) {
          if (await moved(part, folder)) return commandOf(folder, words)
          // Another runner on the same folder was first, or what lies there is damaged.
          const there = await find(name)
          if (there) return there
          // It is moved away before it is removed: others may look at it, or do the same.
          await moved(folder, `${part}-damaged`)
          await remove(`${part}-damaged`)
        }
        throw problem('somebody else damages its folder', 'Give each runner a folder of its own.')
      } finally {
        ownParts.delete(part)
        await remove(part)
      }
    },
    /** Removes the folder where it is of this process alone. */
    async close(): Promise<void> {
      if (root === undefined && base) await remove(await base)
    },
  }
}

/** What a shelf needs. */
export interface ShelfOptions {
  /** Kept between starts; a folder of this process where left out. */
  readonly root: string | undefined
  readonly keptMs: number
  readonly now: () => number
}

/** See `openShelf`. */
export type Shelf = ReturnType<typeof openShelf>

const commandOf = (folder: string, words: readonly Word[]) => commandIn(join(folder, FILES), words)

/** A killed process may still end the write that it was at; what cannot be removed stays for the next start. */
const remove = (folder: string) =>
  rm(folder, { recursive: true, force: true, maxRetries: 5 }).catch(() => undefined)

/** Renames a folder; `false` where the place is taken, or another has moved it. */
const moved = (from: string, to: string) =>
  rename(from, to).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (['ENOTEMPTY', 'EEXIST', 'ENOENT'].includes(error.code ?? '')) return false
      throw error
    },
  )

async function wordsOf(folder: string): Promise<readonly Word[] | undefined> {
  try {
    const { start } = JSON.parse(await readFile(join(folder, START), 'utf8')) as { start?: unknown }
    if (!areWords(start)) return undefined
    for (const word of commandOf(folder, start)) if (isAbsolute(word)) await access(word)
    return start
  } catch {
    return undefined
  }
}

/** Makes the folder, and removes from it what was interrupted and what nobody has started since `oldMs`. */
async function swept(root: string, oldMs: number): Promise<string> {
  await mkdir(root, { recursive: true, mode: 0o700 })
  for (const name of await readdir(root)) {
    const folder = join(root, name)
    const [, maker] = PART.exec(name) ?? []
    const goes = maker
      ? !isUnderWay(folder, Number(maker))
      : INSTALL.test(name) && (await isOld(folder, oldMs))
    if (goes) await remove(folder)
  }
  return root
}

const isOld = (folder: string, oldMs: number) =>
  stat(join(folder, START)).then(
    ({ mtimeMs }) => mtimeMs < oldMs,
    () => true,
  )

/** Whether somebody still makes it. In a container every start has the same pid, so this process asks itself. */
function isUnderWay(part: string, maker: number): boolean {
  if (maker === process.pid) return ownParts.has(part)
  try {
    process.kill(maker, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
