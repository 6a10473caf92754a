import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { access, mkdir, readdir, readFile, stat, utimes, writeFile } from 'node:fs/promises'
import { isAbsolute, join } from 'node:path'
import { removeTree, rename } from '@svc/node'
import { areCommandParts, type CommandPart, commandIn } from './command-part.ts'
import { problem } from './problem.ts'
import { areSealed, openSeal, type Seal, type SealedFile, sealFolder } from './seal.ts'

/** Written last, into the folder of an install that is whole: what starts it. */
const START = 'start.json'
/** What was written down of the files of an install when it was made. */
const SEAL = 'seal.json'
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
export function openInstallStore({ root, temporary, keptMs, checkBatch, now }: InstallStoreOptions) {
  /** By the name of their install: whoever starts it looks at the newest. */
  const seals = new Map<string, Seal>()
  let base: Promise<string> | undefined
  const ready = () => {
    base ??= begin().catch((error: unknown) => {
      base = undefined
      throw error
    })
    return base
  }

  const begin = async () => (root === undefined ? temporary() : swept(root, now() - keptMs))

  /** The command of an install that is whole, or nothing. */
  async function find(name: string): Promise<InstalledFiles | undefined> {
    const folder = join(await ready(), name)
    const [words, sealed] = await Promise.all([wordsOf(folder), sealedOf(folder)])
    if (!words || !sealed) return undefined
    const time = now() / 1_000
    await utimes(join(folder, START), time, time)
    return installed(name, folder, { words, sealed })
  }

  function installed(name: string, folder: string, { words, sealed }: Whole): InstalledFiles {
    const files = join(folder, FILES)
    if (!seals.has(name)) seals.set(name, openSeal(files, sealed, checkBatch))
    return { command: commandOf(folder, words), files: [files], intact: () => intact(name, folder) }
  }

  /** Looks at an install before a start; one that was changed is moved away, so that the next call makes it again. */
  async function intact(name: string, folder: string): Promise<string | null> {
    const seal = seals.get(name)
    const changed = seal ? await seal.change() : ''
    if (changed === null) return null
    if (seal && seals.get(name) === seal) {
      seals.delete(name)
      await discard(folder, join(await ready(), partName()))
    }
    return `its install was changed since it was made (${changed === '' ? 'its folder' : changed}); the next call installs it again`
  }

  return {
    find,
    /** Makes an install by `fill`, which is given a fresh folder of mode 0700. */
    async place(
      name: string,
      fill: (folder: string) => Promise<readonly CommandPart[]>,
    ): Promise<InstalledFiles> {
      const at = await ready()
      const part = join(at, partName())
      ownParts.add(part)
      try {
        const files = join(part, FILES)
        await mkdir(files, { recursive: true, mode: 0o700 })
        const words = await fill(files)
        const sealed = await sealFolder(files)
        await writeFile(join(part, SEAL), JSON.stringify(sealed), { flag: 'wx', mode: 0o600 })
        await writeFile(join(part, START), JSON.stringify({ start: words }), { flag: 'wx', mode: 0o600 })
        const folder = join(at, name)
        for (let tries = 0; tries < TRIES; tries++) {
          if (await moved(part, folder)) {
            seals.delete(name)
            return installed(name, folder, { words, sealed })
          }
          // Another runner on the same folder was first, or what lies there is damaged.
          const there = await find(name)
          if (there) return there
          // It is moved away before it is removed: others may look at it, or do the same.
          await discard(folder, `${part}-damaged`)
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

/** What a store needs. */
export interface InstallStoreOptions {
  /** Kept between starts; a temporary folder where left out. */
  readonly root: string | undefined
  /** Makes a folder of this process. */
  readonly temporary: () => string
  readonly keptMs: number
  /** Files of an install that are looked at in one turn of the loop. */
  readonly checkBatch: number
  readonly now: () => number
}

/** See `openInstallStore`. */
export type InstallStore = ReturnType<typeof openInstallStore>

/** What starts an install, and where its files lie. */
export interface InstalledFiles {
  readonly command: readonly string[]
  readonly files: readonly string[]
  /** Looks whether it is as it was made: a sentence's end where it is not. */
  readonly intact?: () => Promise<string | null>
}

/** What is written beside the files of an install. */
interface Whole {
  readonly words: readonly CommandPart[]
  readonly sealed: readonly SealedFile[]
}

const partName = () => `.part-${process.pid}-${randomBytes(8).toString('hex')}`

const commandOf = (folder: string, words: readonly CommandPart[]) => commandIn(join(folder, FILES), words)

/** A killed process may still end the write that it was at; what cannot be removed stays for the next start. */
const remove = (folder: string) => removeTree(folder).catch(() => undefined)

/** Renames a folder; `false` where the place is taken, or another has moved it. Windows says that as of a busy one. */
const moved = (from: string, to: string) =>
  rename(from, to).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (['ENOTEMPTY', 'EEXIST', 'ENOENT'].includes(error.code ?? '')) return false
      if (process.platform === 'win32' && existsSync(to)) return false
      throw error
    },
  )

/** Removes an install; others see all of it or nothing. */
async function discard(folder: string, aside: string): Promise<void> {
  await moved(folder, aside)
  await remove(aside)
}

/** What was written down of its files; nothing where that is damaged, or of an older runner. */
async function sealedOf(folder: string): Promise<readonly SealedFile[] | undefined> {
  try {
    const sealed: unknown = JSON.parse(await readFile(join(folder, SEAL), 'utf8'))
    return areSealed(sealed) ? sealed : undefined
  } catch {
    return undefined
  }
}

async function wordsOf(folder: string): Promise<readonly CommandPart[] | undefined> {
  try {
    const { start } = JSON.parse(await readFile(join(folder, START), 'utf8')) as { start?: unknown }
    if (!areCommandParts(start)) return undefined
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
