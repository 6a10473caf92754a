import { existsSync } from 'node:fs'
import { lstat, readFile, realpath, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Project } from '../project/project.ts'
import { failure } from '../terminal/failure.ts'

/** How each file begins that svc may write over. */
const MARK = '// Written by `svc '

/** The first lines of a file: how it begins, and how it is renewed. */
export const headerOf = (command: string, what: string, renew: string): string[] => [
  `Written by \`${command}\`: ${what}.`,
  `Do not edit it; to renew it: ${renew}`,
]

/** A file of types, there or not. */
export interface TypesFile {
  /** Its path. */
  readonly file: string
  /** The same from its folder, for people. */
  readonly name: string
  /** What it holds; `null`: there is none yet. */
  readonly text: string | null
}

/** Where the types of an app are: the option, else what its package.json says, else beside the sources. Errors: `config`. */
export function typesNameOf({ name, dir, built, types }: Project, out?: string): string {
  if (built === 'already')
    throw failure(
      'config',
      `${name} is a built bundle, and each of its files is served to browsers`,
      'Name the folder of its sources.',
    )
  const folder = existsSync(path.join(dir, 'src')) ? 'src/' : ''
  return out ?? types ?? `${folder}svc-env.d.ts`
}

/**
 * Reads a file of types in a folder, by its path from there. What lies outside of the folder, is a link, or was not
 * written by svc is refused, because it would be written over. Errors: `config`.
 */
export async function openTypesFile(dir: string, given: string): Promise<TypesFile> {
  const file = path.resolve(dir, given)
  const name = path.relative(dir, file)
  const wrong = (what: string, hint: string) => failure('config', `${given} ${what}`, hint)
  if (!file.endsWith('.d.ts'))
    throw wrong('must end with .d.ts, because it holds types alone', 'An example: src/svc-env.d.ts')
  const [root, folder] = await Promise.all([realpath(dir), realpath(path.dirname(file)).catch(() => null)])
  if (folder === null && isInside(dir, file))
    throw wrong('is in a folder that is not there', `Make the folder ${path.dirname(name)} first.`)
  if (folder === null || !isInside(root, path.join(folder, path.basename(file))))
    throw wrong(`is outside of ${dir}`, 'Name a file inside of that folder.')
  const found = await lstat(file).catch(() => null)
  if (found && !found.isFile()) throw wrong('is no plain file', 'Name another one.')
  const text = found && (await readFile(file, 'utf8').catch(failed(given, 'read')))
  if (text !== null && !text.startsWith(MARK))
    throw wrong('was not written by svc, so it stays as it is', 'Remove it, or name another file with --out.')
  return { file, name: name.split(path.sep).join('/'), text }
}

/** Whether it holds something else; how its lines end does not count. */
export const isStale = ({ text }: TypesFile, next: string): boolean => text?.replaceAll('\r\n', '\n') !== next

/** Writes it. Errors: `config`. */
export const writeTypes = ({ file, name }: TypesFile, text: string): Promise<void> =>
  writeFile(file, text).catch(failed(name, 'written'))

const failed = (name: string, what: string) => (error: Error) => {
  throw failure('config', `${name} could not be ${what}: ${error.message}`)
}

function isInside(dir: string, file: string): boolean {
  const from = path.relative(dir, file)
  return from !== '' && from !== '..' && !from.startsWith(`..${path.sep}`) && !path.isAbsolute(from)
}
