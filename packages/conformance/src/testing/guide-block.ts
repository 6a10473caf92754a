import { readFileSync } from 'node:fs'
import path from 'node:path'

const GUIDES = path.join(import.meta.dirname, '../../../../docs/guides')

/** The first block of a language behind a heading of a guide. */
export function guideBlock(guide: string, heading: string, language: string): string {
  const [, rest = ''] = readFileSync(path.join(GUIDES, guide), 'utf8').split(`\n${heading}\n`)
  const [, block] = new RegExp(`^~~~${language}\\n(.*?)^~~~$`.replaceAll('~', '`'), 'ms').exec(rest) ?? []
  if (block === undefined) throw new Error(`${guide} has no ${language} under ${heading}`)
  return block
}
