import { existsSync, statSync } from 'node:fs'
import path from 'node:path'
import { failure } from '../terminal/failure.ts'
import { didYouMeanPath } from '../terminal/near-path.ts'
import { readJsonFile } from '../terminal/text-file.ts'
import { readSvcKey, type SvcKey } from './svc-key.ts'

/** An app's folder as the harness sees it. */
export interface Project extends SvcKey {
  /** The folder's own name. */
  readonly name: string
  /** The folder of the app. */
  readonly dir: string
  /** Where `manifest.json` and the built files are: the folder itself, or its `dist`. */
  readonly bundleDir: string
  /** Whether the folder holds sources that Vite builds into `dist`. */
  readonly built: 'by vite' | 'already'
}

/**
 * Reads an app's folder: either a Vite project (`index.html`, and `public/manifest.json`), or a bundle that is
 * built already (`manifest.json` at its top). Errors: `config`.
 */
export function readProject(folder: string): Project {
  const dir = path.resolve(folder)
  const has = (name: string) => existsSync(path.join(dir, name))
  if (!existsSync(dir) || !statSync(dir).isDirectory())
    throw failure(
      'config',
      `there is no folder ${folder}${didYouMeanPath(folder)}`,
      'Name the folder of an app: svc dev my-app',
    )

  const name = path.basename(dir)
  const key = readSvcKey(readPackage(dir)?.svc, path.join(folder, 'package.json'))
  if (has('index.html') && has('public/manifest.json'))
    return { name, dir, bundleDir: path.join(dir, 'dist'), built: 'by vite', ...key }
  if (has('manifest.json')) return { name, dir, bundleDir: dir, built: 'already', ...key }
  throw failure(
    'config',
    `${folder} holds no app: it has neither index.html with public/manifest.json, nor a built manifest.json`,
    'Copy one of the examples to begin with.',
  )
}

/** Looks whether any of these folders holds an app. Errors: `config`, for the first of them. */
export function refuseWithoutApp(folders: readonly string[]): void {
  const problems: unknown[] = []
  for (const folder of folders) {
    try {
      readProject(folder)
      return
    } catch (error) {
      problems.push(error)
    }
  }
  throw problems[0]
}

/** Where the manifest is that the author of an app edits, from the app's folder. */
export const manifestFileOf = ({ built }: Project) =>
  built === 'by vite' ? 'public/manifest.json' : 'manifest.json'

/** The commands of an app's plugins. */
export const commandsOf = ({ plugins }: Project) => plugins.map(({ command }) => command)

/** The package.json of a folder, or `null` where there is none. Errors: `config`. */
function readPackage(dir: string): { readonly svc?: unknown } | null {
  const file = path.join(dir, 'package.json')
  if (!existsSync(file)) return null
  const value = readJsonFile(file)
  if (typeof value === 'object' && !Array.isArray(value)) return value
  throw failure('config', `${file} must hold an object`)
}
