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
import { areWords, commandIn, type Word } from './word.ts'

/** Written last, into the folder of an install that is whole: what starts it. */
const START = 'start.json'
const PART = /^\.part-(\d+)-/
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
    base ??= root === undefined ? mkdtemp(join(tmpdir(), 'svc-installs-')) : swept(root, now() - keptMs)
    return base
  }

  /** The command of an install that is whole, or nothing; what is damaged is removed. */
  async function find(name: string): Promise<readonly string[] | undefined> {
    const folder = join(await ready(), name)
    const words = await wordsOf(folder)
    if (!words) return void (await remove(folder))
    const time = now() / 1_000
    await utimes(join(folder, START), time, time)
    return commandIn(folder, words)
  }

  return {
    find,
    /** Makes an install by `fill`, which is given a fresh folder of mode 0700; answers its command. */
    async place(
      name: string,
      fill: (folder: string) => Promise<readonly Word[]>,
    ): Promise<readonly string[]> {
      const at = await ready()
      const part = await mkdtemp(join(at, `.part-${process.pid}-`))
      ownParts.add(part)
      try {
        const words = await fill(part)
        await writeFile(join(part, START), JSON.stringify({ start: words }), { flag: 'wx', mode: 0o600 })
        await rename(part, join(at, name))
      } catch (error) {
        await remove(part)
        // Another runner on the same folder may have been first.
        const there = isTaken(error) ? await find(name) : undefined
        if (there) return there
        throw error
      } finally {
        ownParts.delete(part)
      }
      return (await find(name)) ?? []
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

/** A killed process may still end the write that it was at; what cannot be removed stays for the next start. */
const remove = (folder: string) =>
  rm(folder, { recursive: true, force: true, maxRetries: 5 }).catch(() => undefined)

const isTaken = (error: unknown) =>
  ['ENOTEMPTY', 'EEXIST'].includes(String((error as NodeJS.ErrnoException | null)?.code))

async function wordsOf(folder: string): Promise<readonly Word[] | undefined> {
  try {
    const { start } = JSON.parse(await readFile(join(folder, START), 'utf8')) as { start?: unknown }
    if (!areWords(start)) return undefined
    for (const word of commandIn(folder, start)) if (isAbsolute(word)) await access(word)
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
