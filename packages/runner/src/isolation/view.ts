import { existsSync, readdirSync, statSync } from 'node:fs'
import { dirname, isAbsolute, join, resolve } from 'node:path'
import type { Reach } from '@svc/contract/reach'
import { ETC_FOLDERS } from './etc.ts'
import { isBroad, isWithin, linksOf, packageOf, realOf, storeOf } from './paths.ts'
import { findProgram } from './program.ts'
import { addProgram, type ProgramPlaces } from './program-places.ts'

/** What a plugin process sees of the machine beside the system and its own folder. */
export interface View {
  readonly readable: readonly string[]
  readonly writable: readonly string[]
  /** Links of its programs in folders that are not shown; none where left out. */
  readonly links?: readonly { readonly path: string; readonly to: string }[]
  /** Variables by which its programs find the rest of themselves; none where left out. */
  readonly env?: Readonly<Record<string, string>>
}

/** How one process is started, as far as its view goes. */
export interface ProcessStart {
  readonly program: string
  readonly args: readonly string[]
  readonly cwd: string
  /** Folders that were installed for it. */
  readonly files?: readonly string[] | undefined
  readonly reach?: Reach | undefined
  /** Files and folders of certificates that it finds by its variables. */
  readonly certificates?: readonly string[] | undefined
}

/** Folders that one start looks at, so that a forest of links costs no more than this. */
const PACKAGES_MAX = 256

/**
 * What a command needs to run, read-only: its program, the folders of the files that it names, the packages that these
 * import, its working folder and what was installed for it; and the folders that its reach names. A home or another
 * folder that everything lies in is never taken whole: of a file in it, only that file is.
 */
export function viewOf(
  { program, args, cwd, files = [], reach, certificates = [] }: ProcessStart,
  path: string | undefined,
): View {
  const isInstalled = (file: string) => files.some((folder) => isWithin(folder, file))
  const lookup = { cwd, path, isInstalled }
  const readable = new Set(files)
  const roots = new Set<string>()
  const places: ProgramPlaces = { folders: readable, links: new Map(), packages: roots, env: {} }
  addProgram(places, process.execPath, [], lookup)
  addProgram(places, program, args, lookup)
  // What comes after `--` is a command of its own, as for a server of MCP.
  const [inner, ...innerArgs] = args.includes('--') ? args.slice(args.indexOf('--') + 1) : []
  const found = inner === undefined ? undefined : findProgram(inner, cwd, path)
  if (found !== undefined) addProgram(places, found, innerArgs, lookup)

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
  for (const place of certificates) if (!isBroad(place) || kindOf(place) === 'file') readable.add(place)
  const reached = reach?.folders ?? []
  for (const { path: folder, access } of reached) if (access === 'read') readable.add(folder)
  const writable = reached.filter(({ access }) => access === 'write').map(({ path: folder }) => folder)
  const shown = outermost([...readable].filter((one) => !SYSTEM.test(one)))
  return {
    readable: shown,
    writable: outermost(writable),
    links: [...places.links]
      .filter(([link]) => !SYSTEM.test(link) && !shown.some((one) => isWithin(one, link)))
      .map(([path, to]) => ({ path, to })),
    env: places.env,
  }
}

/** What every process sees anyway. */
const SYSTEM = new RegExp(`^/(usr|bin|sbin|lib\\w*|nix/store|gnu/store|etc/(${ETC_FOLDERS.join('|')}))(/|$)`)
const isScript = (file: string) => /\.[cm]?[jt]s$/.test(file)

const NAME_MAX = 4_096

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
      // It may be a link itself, from whose end those in it are read; a link that leads nowhere is shown as it is.
      const real = realOf(modules) ?? modules
      for (const one of [modules, real]) folders.add(one)
      for (const target of targetsIn(real)) {
        if (isWithin(real, target) || !existsSync(target)) continue
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
