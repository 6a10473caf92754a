import { existsSync, readlinkSync, realpathSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { dirname, join, resolve, sep } from 'node:path'

/** Links that the kernel follows on the way to one file. */
const LINKS_MAX = 40

/** Whether a path lies in a folder, or is that folder. */
export const isWithin = (folder: string, path: string): boolean =>
  path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep)

/** A folder in which things of all kinds lie: it is above a home, a home, or one of the system. */
export function isBroad(folder: string): boolean {
  const home = homedir()
  const isAbove = isWithin(folder, home) || isWithin(folder, tmpdir())
  return isAbove || folder === join(home, '.local') || BROAD.test(folder)
}
const BROAD = /^\/(home\/[^/]*|root|var(\/[^/]*)?|opt|srv|mnt|media|boot)$|^\/(proc|sys|dev|run|etc)(\/|$)/

/** Where a link leads to; nothing if it is not a link, or cannot be read. */
export function linkAt(file: string): string | undefined {
  try {
    return readlinkSync(file)
  } catch {
    return undefined
  }
}

/** The path of a file without links; nothing where it is not there. */
export function realOf(file: string): string | undefined {
  try {
    return realpathSync.native(file)
  } catch {
    return undefined
  }
}

/** A file and all that it leads to over links. */
export function linksOf(file: string): readonly string[] {
  const steps = [file]
  for (let at = file; steps.length < LINKS_MAX; steps.push(at)) {
    const to = linkAt(at)
    if (to === undefined) break
    at = resolve(dirname(at), to)
  }
  return steps
}

/** The folder of the package that a file belongs to. */
export function packageOf(folder: string): string | undefined {
  if (isBroad(folder)) return undefined
  return existsSync(join(folder, 'package.json')) ? folder : packageOf(dirname(folder))
}

/** Of a package in somebody's `node_modules` the whole of that: its own imports are found from there. */
export function storeOf(target: string): string {
  const at = target.indexOf(`${sep}node_modules${sep}`)
  return at === -1 ? target : target.slice(0, at + `${sep}node_modules`.length)
}
