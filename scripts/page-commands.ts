import { globSync } from 'node:fs'
import path from 'node:path'

/** The pages that somebody writes; those that `npm run docs` makes of the sources are not among them. */
export const pageFiles: readonly string[] = globSync(
  ['*.md', 'docs/**/*.md', '{packages,examples}/*/README.md', 'packages/create-svc/templates/*/README.md'],
  { cwd: path.resolve(import.meta.dirname, '..'), exclude: ['docs/api/**'] },
).sort()

/** A fenced block of a page. */
export interface Block {
  readonly language: string
  readonly text: string
}

/** The fenced blocks of a page, in their order. */
export const blocksOf = (page: string): Block[] =>
  [...page.matchAll(/^```(\w+)\n(.*?)^```$/gms)].map(([, language = '', text = '']) => ({ language, text }))

/** The commands of the `sh` blocks of a page, without comments; a line that ends in a backslash goes on. */
export const commandsOf = (page: string): string[] =>
  blocksOf(page)
    .filter(({ language }) => language === 'sh')
    .flatMap(({ text }) => text.replaceAll(/\\\n\s*/g, '').split('\n'))
    .map((line) => line.replace(/(^|\s\s+)#.*$/, '').trim())
    .filter((line) => line !== '')

/** Files that a page shows: the name is in the first line, as a comment. */
export const filesOf = (page: string): Map<string, string> =>
  new Map(
    blocksOf(page).flatMap(({ text }) => {
      const [, name] = /^(?:\/\/|#) ([\w.-]+\.\w+)$/m.exec(text.slice(0, text.indexOf('\n'))) ?? []
      return name === undefined ? [] : [[name, text] as const]
    }),
  )
