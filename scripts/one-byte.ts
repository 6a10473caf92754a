import { globSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'

/**
 * Writes what is beyond ASCII as escapes, which regular expressions and comments take as well; strings have them already.
 * A process holds a source with two bytes for each character if one of them needs two.
 */
export const oneByte = (source: string): string =>
  source.replace(/[^\p{ASCII}]/gu, (character) =>
    Array.from({ length: character.length }, (_, at) => escaped(character.charCodeAt(at))).join(''),
  )

const escaped = (unit: number) => `\\u${unit.toString(16).padStart(4, '0')}`

/** Does so with all scripts of a folder. */
export function writeOneByte(folder: string): void {
  for (const name of globSync('**/*.{js,cjs}', { cwd: folder })) {
    const file = path.join(folder, name)
    const source = readFileSync(file, 'utf8')
    const written = oneByte(source)
    if (written !== source) writeFileSync(file, written)
  }
}
