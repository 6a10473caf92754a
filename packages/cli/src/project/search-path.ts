import { existsSync } from 'node:fs'
import path from 'node:path'

/**
 * The PATH of a program that starts in a folder: first the programs of the packages that are installed in it and above it,
 * as for the scripts of npm, then the Node that runs svc.
 */
export function searchPath(dir: string): string {
  const folders: string[] = []
  for (let at = path.resolve(dir); ; at = path.dirname(at)) {
    const bin = path.join(at, 'node_modules/.bin')
    if (existsSync(bin)) folders.push(bin)
    if (path.dirname(at) === at) break
  }
  return [...folders, path.dirname(process.execPath), process.env.PATH].join(path.delimiter)
}
