import { existsSync, readdirSync, readlinkSync, statSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { basename, dirname, isAbsolute, join, resolve, sep } from 'node:path'
import type { Reach } from '@svc/contract/reach'
import { findProgram } from './program.ts'

/** What a plugin process sees of the machine beside the system and its own folder. */
export interface View {
  readonly readable: readonly string[]
  readonly writable: readonly string[]
}

/** How one process is started, as far as its view goes. */
export interface ProcessStart {
  readonly program: string
  readonly args: readonly string[]
  readonly cwd: string
  /** Folders that were installed for it. */
  readonly files?: readonly string[] | undefined
  readonly reach?: Reach | undefined
}

/** Folders that one start looks at, so that a forest of links costs no more than this. */
const PACKAGES_MAX = 256
const LINKS_MAX = 40

/**
 * What a command needs to run, read-only: its program, the folders of the files that it names, the packages that these
 * import, its working folder and what was installed for it; and the folders that its reach names. A home or another
 * folder that everything lies in is never taken whole: of a file in it, only that file is.
 */
export function viewOf(
  { program, args, cwd, files = [], reach }: ProcessStart,
  path: string | undefined,
): View {
  const readable = new Set(files)
  const roots = new Set<string>()
  const isInstalled = (file: string) => files.some((folder) => isWithin(folder, file))
  const addProgram = (file: string) => {
    for (const step of linksOf(file)) if (!isInstalled(step)) readable.add(placeOfProgram(step))
  }
  addProgram(process.execPath)
  addProgram(program)
  // What comes after `--` is a command of its own, as for a server of MCP.
  const inner = args[args.indexOf('--') + 1]
  const found = args.includes('--') && inner !== undefined ? findProgram(inner, cwd, path) : undefined
  if (found !== undefined) addProgram(found)

  for (const word of args) {
    if (word.startsWith('-') || word.length > NAME_MAX) continue
    const file = resolve(cwd, word)
    const isFile = isAbsolute(word) || word.includes('/') || word.includes('.')
    const kind = isFile && !isInstalled(file) ? kindOf(file) : undefined
    if (kind === undefined) continue
    if (kind === 'folder') {
      if (!isBroad(file)) readable.add(file)
      continue
    }
    const folder = dirname(file)
    const root = packageOf(folder)
    readable.add(root ?? (isBroad(folder) ? file : folder))
    // What it imports is looked for in the folders above it as well.
    if (isScript(file)) roots.add(root ?? folder)
  }
  if (!isBroad(cwd) && !isInstalled(cwd)) readable.add(cwd)
  for (const folder of imported(roots)) readable.add(folder)
  const reached = reach?.folders ?? []
  for (const { path: folder, access } of reached) if (access === 'read') readable.add(folder)
  const writable = reached.filter(({ access }) => access === 'write').map(({ path: folder }) => folder)
  return {
    readable: outermost([...readable].filter((one) => !SYSTEM.test(one))),
    writable: outermost(writable),
  }
}

/** What every process sees anyway. */
const SYSTEM = /^\/(usr|bin|sbin|lib\w*|nix\/store|gnu\/store)(\/|$)/
const isScript = (file: string) => /\.[cm]?[jt]s$/.test(file)

const NAME_MAX = 4_096

/** Whether a path lies in a folder, or is that folder. */
export const isWithin = (folder: string, path: string): boolean =>
  path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep)

/** A folder in which things of all kinds lie: it is above a home, a home, or one of the system. */
function isBroad(folder: string): boolean {
  const home = homedir()
  const isAbove = isWithin(folder, home) || isWithin(folder, tmpdir())
  return isAbove || folder === join(home, '.local') || BROAD.test(folder)
}
const BROAD = /^\/(home\/[^/]*|root|var(\/[^/]*)?|opt|srv|mnt|media|boot)$|^\/(proc|sys|dev|run|etc)(\/|$)/

/** A program with what lies beside it: `lib` beside `bin`, or all of a version manager behind its shims. */
function placeOfProgram(file: string): string {
  const folder = dirname(file)
  const prefix = dirname(folder)
  const [brew] = file.split('/Cellar/')
  if (brew !== undefined && brew !== file) return brew
  const isWhole =
    basename(folder) === 'shims' ||
    (basename(folder) === 'bin' &&
      (existsSync(join(prefix, 'lib')) || existsSync(join(prefix, 'pyvenv.cfg'))))
  if (isWhole && !isBroad(prefix)) return prefix
  return isBroad(folder) ? file : folder
}

/** A file and all that it leads to over links. */
function linksOf(file: string): readonly string[] {
  const steps = [file]
  for (let at = file; steps.length < LINKS_MAX; steps.push(at)) {
    const to = linkAt(at)
    if (to === undefined) break
    at = resolve(dirname(at), to)
  }
  return steps
}

/** The folder of the package that a file belongs to. */
function packageOf(folder: string): string | undefined {
  if (isBroad(folder)) return undefined
  return existsSync(join(folder, 'package.json')) ? folder : packageOf(dirname(folder))
}

/** Each `node_modules` in some folders and above them, with all that the links in there lead to. */
function imported(roots: ReadonlySet<string>): ReadonlySet<string> {
  const folders = new Set<string>()
  const looked = new Set<string>()
  const pending = new Set(roots)
  for (const root of pending) {
    for (let at = root; at !== dirname(at) && looked.size < PACKAGES_MAX; at = dirname(at)) {
      const modules = join(at, 'node_modules')
      if (looked.has(modules) || !existsSync(modules)) continue
      looked.add(modules)
      folders.add(modules)
      for (const target of targetsIn(modules)) {
        if (isWithin(modules, target)) continue
        folders.add(storeOf(target))
        pending.add(target)
      }
    }
  }
  return folders
}

/** Where the links in a `node_modules` lead to. */
function targetsIn(modules: string): readonly string[] {
  return entries(modules).flatMap(({ name, isLink }) => {
    const entry = join(modules, name)
    if (isLink) return linksOf(entry).slice(1)
    if (!name.startsWith('@')) return []
    return entries(entry).flatMap((one) => (one.isLink ? linksOf(join(entry, one.name)).slice(1) : []))
  })
}

/** Of a package in somebody's `node_modules` the whole of that: its own imports are found from there. */
function storeOf(target: string): string {
  const at = target.indexOf(`${sep}node_modules${sep}`)
  return at === -1 ? target : target.slice(0, at + `${sep}node_modules`.length)
}

function entries(folder: string): readonly { readonly name: string; readonly isLink: boolean }[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).map((entry) => ({
      name: entry.name,
      isLink: entry.isSymbolicLink(),
    }))
  } catch {
    return []
  }
}

/** Where a link leads to; nothing if it is not a link, or cannot be read. */
export function linkAt(file: string): string | undefined {
  try {
    return readlinkSync(file)
  } catch {
    return undefined
  }
}

function kindOf(file: string): 'file' | 'folder' | undefined {
  try {
    const found = statSync(file)
    return found.isDirectory() ? 'folder' : found.isFile() ? 'file' : undefined
  } catch {
    return undefined
  }
}

/** Without those that lie in another of them. */
function outermost(folders: Iterable<string>): readonly string[] {
  const all = [...new Set(folders)].sort((a, b) => a.length - b.length)
  return all.filter((one, at) => !all.slice(0, at).some((outer) => isWithin(outer, one)))
}
