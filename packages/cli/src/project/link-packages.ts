import { existsSync, lstatSync, mkdirSync, readFileSync, realpathSync, rmSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { printError } from '../terminal/print.ts'

/** When a folder gets a link to a package, if it has none of that name. Otherwise its package.json has to name it. */
const wants = new Map<string, (folder: Folder) => boolean>([
  ['@svc/sdk', ({ has }) => has('public/manifest.json')],
  ['@svc/plugin', ({ runs }) => runs('@svc/plugin')],
  ['@svc/cli', () => false],
  ['@svc/host', () => false],
  ['@svc/conformance', () => false],
  ['@svc/testing', () => false],
  ['vite', () => false],
  ['vitest', () => false],
  ['fast-check', () => false],
  ['@types/node', ({ has }) => has('tsconfig.json')],
])

interface Folder {
  /** Whether it has a file. */
  has(name: string): boolean
  /** Whether a script that one of its commands names contains a text. */
  runs(text: string): boolean
}

/**
 * Links packages of this svc into the `node_modules` of a folder that needs them and has none installed: the SDK of
 * an app, `@svc/plugin` of a plugin, and the types that an editor looks for. So a copied folder works wherever it is.
 * What the folder has installed itself stays as it is; what a machine got from a registry or an archive never comes
 * here. Returns the names of the packages that were linked.
 */
export function linkPackages(dir: string, commands: readonly (readonly string[])[] = []): string[] {
  const named = namesIn(dir)
  const folder: Folder = {
    has: (name) => existsSync(path.join(dir, name)),
    runs: (text) => commands.flat().some((word) => scriptOf(dir, word).includes(text)),
  }
  return [...wants].flatMap(([name, wanted]) => {
    if (!(named.has(name) || wanted(folder)) || isInstalled(dir, name)) return []
    const target = folderOf(name)
    if (target === null) return []
    const link = path.join(dir, 'node_modules', name)
    mkdirSync(path.dirname(link), { recursive: true })
    if (isLink(link)) rmSync(link)
    else if (existsSync(link)) return []
    symlinkSync(realpathSync(target), link, 'junction')
    return [name]
  })
}

/** The sentence about what was linked; `null` where nothing was. */
export const linkedNote = (folder: string, names: readonly string[]): string | null =>
  names.length === 0 ? null : `linked into ${path.join(folder, 'node_modules')}: ${names.join(', ')}`

/** What the package.json of a folder depends on. */
function namesIn(dir: string): ReadonlySet<string> {
  try {
    const { dependencies, devDependencies } = JSON.parse(textOf(path.join(dir, 'package.json')))
    return new Set(Object.keys({ ...dependencies, ...devDependencies }))
  } catch {
    return new Set()
  }
}

/** Whether Node finds a package from a folder. A link that leads nowhere is not an installed package. */
function isInstalled(dir: string, name: string): boolean {
  for (let at = dir; ; at = path.dirname(at)) {
    if (existsSync(path.join(at, 'node_modules', name, 'package.json'))) return true
    if (path.dirname(at) === at) return false
  }
}

const isLink = (file: string) => lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() ?? false

/** The folder of a package as this svc has it. */
function folderOf(name: string): string | null {
  const places = createRequire(import.meta.url).resolve.paths(name) ?? []
  return places.map((place) => path.join(place, name)).find((place) => existsSync(place)) ?? null
}

/** The text of a file, empty where there is none. */
const textOf = (file: string): string =>
  existsSync(file) && lstatSync(file).isFile() ? readFileSync(file, 'utf8') : ''

/** The text of a script that Node runs; the author of any other needs no package of Node. */
const scriptOf = (dir: string, word: string): string =>
  /\.[cm]?[jt]s$/.test(word) ? textOf(path.resolve(dir, word)) : ''

/** Lends a plugin that is started in this folder what it imports, and says so. */
export function linkForCommand(command: readonly string[], dir = process.cwd()): void {
  const script = command.some((word) => scriptOf(dir, word).includes('@svc/plugin'))
  const lent = script ? linkedNote(path.relative(process.cwd(), dir), linkPackages(dir, [command])) : null
  if (lent !== null) printError(`svc: ${lent}`)
}
