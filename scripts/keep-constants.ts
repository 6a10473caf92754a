import { globSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'

/** A number with the name of a constant, as esbuild writes it where it bundles. */
const NUMBER = /^var ([A-Z][A-Z0-9_]*) = (-?\d[\d.e+]*);$/gm

/** Writes numbers that a bundle made variables as constants again: a bundler puts these where they are used, by value. */
export const constantsOf = (source: string): string => source.replaceAll(NUMBER, 'const $1 = $2;')

/** Does so with all modules of a folder. */
export function writeConstants(folder: string): void {
  for (const name of globSync('**/*.js', { cwd: folder })) {
    const file = path.join(folder, name)
    const source = readFileSync(file, 'utf8')
    const written = constantsOf(source)
    if (written !== source) writeFileSync(file, written)
  }
}
