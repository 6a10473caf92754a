import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { readManifest } from './libraries.ts'

const IMPORT = /(?:from |import\()["'](\.[^"']+)["']/g
/** The sentences of 50 languages: no type of ours names one. */
const LANGUAGES = /^export \* as locales from .*\n/gm

/**
 * Copies the types of a package whose code is in the files of another, so that who installs these needs it for nothing:
 * into a folder of that name in `dist`, where the declarations then look for them. It takes those for `require`, which
 * modules may import too.
 */
export function copyInsideTypes(dir: string, name: string): void {
  const from = path.join(dir, 'node_modules', name)
  const dist = path.join(dir, 'dist')
  const { exports } = readManifest(from) as { exports: Readonly<Record<string, unknown>> }
  const entries = new Map<string, string>()
  const copied = new Set<string>()

  function copy(file: string): void {
    if (copied.has(file)) return
    copied.add(file)
    const text = readFileSync(path.join(from, file), 'utf8').replaceAll(LANGUAGES, '')
    const to = path.join(dist, name, file)
    mkdirSync(path.dirname(to), { recursive: true })
    writeFileSync(to, text)
    for (const [, other = ''] of text.matchAll(IMPORT))
      copy(path.posix.join(path.posix.dirname(file), other.replace(/\.cjs$/, '.d.cts')))
  }

  /** The file of an entry, such as `zod/v4/core`, as a path within the package. */
  function entryOf(specifier: string): string {
    const entry = `.${specifier.slice(name.length)}`
    const { require: file } = exports[entry] as { require?: string } & object
    if (file === undefined)
      throw new Error(`${specifier} has no file for require, whose types could be copied`)
    return file.replace(/^\.\//, '')
  }

  const named = new RegExp(`(from |import |import\\()(["'])(${name}(?:/[^"']*)?)\\2`, 'g')
  for (const file of globSync('**/*.d.{ts,cts}', { cwd: dist, exclude: [`${name}/**`] })) {
    const text = readFileSync(path.join(dist, file), 'utf8')
    const written = text.replaceAll(named, (_, before: string, quote: string, specifier: string) => {
      const entry = entries.get(specifier) ?? entryOf(specifier)
      entries.set(specifier, entry)
      copy(entry.replace(/\.cjs$/, '.d.cts'))
      const relative = path.posix.relative(
        path.posix.dirname(file.split(path.sep).join('/')),
        `${name}/${entry}`,
      )
      return `${before}${quote}${relative.startsWith('.') ? relative : `./${relative}`}${quote}`
    })
    if (written !== text) writeFileSync(path.join(dist, file), written)
  }
}
