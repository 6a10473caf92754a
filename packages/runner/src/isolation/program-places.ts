import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { basename, dirname, isAbsolute, join, sep } from 'node:path'
import { isBroad, isWithin, linksOf, realOf, storeOf } from './paths.ts'
import { findOnPath } from './program.ts'
import { headOf, shebangOf, startedByEnv } from './program-text.ts'
import { managerOf } from './version-managers.ts'

/** What programs need to start. */
export interface ProgramPlaces {
  /** Folders and files that they see. */
  readonly folders: Set<string>
  /** Names of them in folders that are not shown, by where these lead to. */
  readonly links: Map<string, string>
  /** Packages of Node among them, whose imports are looked for. */
  readonly packages: Set<string>
  /** Variables by which they find the rest of themselves. */
  readonly env: Record<string, string>
}

/** Where programs are looked for. */
export interface Lookup {
  readonly cwd: string
  readonly path: string | undefined
  /** Whether a file is of an install, which made its links and words itself. */
  readonly isInstalled: (file: string) => boolean
}

/** A script may be started by another one, and that by a third. */
const INTERPRETERS_MAX = 5

/** Adds what a program needs to start: itself, what its links lead to, and what its first line or `env` starts. */
export function addProgram(
  places: ProgramPlaces,
  program: string,
  words: readonly string[],
  lookup: Lookup,
  depth = 0,
): void {
  const { isInstalled, cwd, path } = lookup
  if (isInstalled(program)) {
    for (const place of pythonBehind(program)) if (!isInstalled(place)) places.folders.add(place)
    return
  }
  const real = realOf(program)
  for (const step of new Set([...linksOf(program), ...(real === undefined ? [] : [real])])) {
    const place = placeOfProgram(step)
    if (isInstalled(place)) continue
    // A link that stays one: a program that looks where it really lies finds what is beside that.
    const isLink = place === step && real !== undefined && real !== step && !isWithin('/etc', step)
    if (isLink) places.links.set(step, real)
    else places.folders.add(place)
    if (program !== process.execPath && step.includes(`${sep}node_modules${sep}`)) {
      places.folders.add(storeOf(step))
      places.packages.add(dirname(step))
    }
    const python = basePython(place)
    if (python !== undefined) places.folders.add(python)
    const manager = managerOf(step)
    if (manager) {
      places.folders.add(manager.folder)
      places.env[manager.variable] = manager.folder
    }
  }
  if (depth === INTERPRETERS_MAX) return
  const next = (file: string, rest: readonly string[]) => addProgram(places, file, rest, lookup, depth + 1)
  // Whoever wrote the script may name any file there: what cannot be run is not shown.
  const [interpreter = '', ...rest] = shebangOf(headOf(program)) ?? []
  if (isAbsolute(interpreter) && findOnPath(interpreter, cwd, path) !== undefined) next(interpreter, rest)
  const started = startedByEnv(program, words)
  const found = started === undefined ? undefined : findOnPath(started, cwd, path)
  if (found !== undefined) next(found, [])
}

/** What lies beside `bin` where that belongs to one program. */
const BESIDE_BIN = ['lib', 'lib64', 'libexec', 'share', 'pyvenv.cfg']

/** A program with what lies beside it: `lib` beside `bin`, or all of a version manager behind its shims. */
function placeOfProgram(file: string): string {
  const folder = dirname(file)
  const prefix = dirname(folder)
  const [brew] = file.split('/Cellar/')
  if (brew !== undefined && brew !== file) return brew
  const isWhole =
    basename(folder) === 'shims' ||
    (basename(folder) === 'bin' && BESIDE_BIN.some((name) => existsSync(join(prefix, name))))
  if (isWhole && !isBroad(prefix)) return prefix
  return isBroad(folder) ? file : folder
}

/** The Python that a virtual environment was made from, with its libraries; nothing where a folder is none. */
function basePython(folder: string): string | undefined {
  try {
    const [, home] = /^home[ \t]*=[ \t]*(\/.*)$/m.exec(readFileSync(join(folder, 'pyvenv.cfg'), 'utf8')) ?? []
    const names = home === undefined ? [] : ['python', 'python3'].map((name) => join(home.trim(), name))
    const python = names.find((name) => findOnPath(name, '/', undefined) !== undefined)
    return python && placeOfProgram(python)
  } catch {
    return undefined
  }
}

/**
 * The Python that a program of an install leads to, with its libraries. A package made the links of its install, and would
 * have any folder shown that one of them names: nothing else is, not what lies beside a program, and only where the system
 * itself says that they lead.
 */
function pythonBehind(file: string): readonly string[] {
  const real = realpathSync.native(file)
  if (!/^python[\d.]*$/.test(basename(real))) return []
  const place = placeOfProgram(real)
  return [place === dirname(real) ? real : place]
}
