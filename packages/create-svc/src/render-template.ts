import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { Template } from './templates.ts'

/** What the texts of a template are filled with. */
export interface ProjectValues {
  /** The name of the package, and of the plugin: lower-case letters, digits and single dashes. */
  readonly name: string
  /** The name that people read. */
  readonly title: string
  /** The versions of our packages, as package.json has them: `^1.2.0`. */
  readonly range: string
}

const folder = path.join(import.meta.dirname, '../templates')

/** npm leaves a file of this name out of a package, so that it has another one in there. */
const GITIGNORE = '_gitignore'

/** What our packages have in place of a version, in a template as in the repository. */
const WORKSPACE = 'workspace:*'

/** Makes the files of a project: path → text, in the order of their paths. */
export function renderTemplate({ layers, words = {} }: Template, values: ProjectValues): Map<string, string> {
  const files = new Map<string, string>()
  for (const layer of layers)
    for (const file of filesIn(path.join(folder, layer)))
      files.set(nameOf(file), fill(readFileSync(path.join(folder, layer, file), 'utf8'), values, words))
  return new Map([...files].sort(([a], [b]) => (a < b ? -1 : 1)))
}

const filesIn = (dir: string) =>
  globSync('**/*', { cwd: dir, withFileTypes: true, exclude: ['**/node_modules'] })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(dir, path.join(entry.parentPath, entry.name)).replaceAll(path.sep, '/'))

const nameOf = (file: string) =>
  path.posix.basename(file) === GITIGNORE ? file.replace(GITIGNORE, '.gitignore') : file

function fill(text: string, { name, title, range }: ProjectValues, words: NonNullable<Template['words']>) {
  const filled = text.replaceAll('{{name}}', name).replaceAll('{{title}}', title).replaceAll(WORKSPACE, range)
  return Object.entries(words).reduce((now, [word, said]) => now.replaceAll(`{{${word}}}`, said), filled)
}
