// Holds the links of the Markdown pages: every file that one names is there, and so is every heading.
import { existsSync, globSync, readFileSync, statSync } from 'node:fs'
import { brokenLinks, type Page } from './markdown-links.ts'

/** The pages that TypeDoc writes are of no commit: those of the docs site are held by its own test. */
const pages = globSync(['*.md', 'docs/**/*.md', '{packages,examples,bench}/*/README.md', 'bench/*.md'], {
  exclude: ['docs/api/**'],
})
const read = (file: string): Page => ({ file, text: readFileSync(file, 'utf8') })
const look = (file: string): string | null => {
  if (!existsSync(file)) return null
  return statSync(file).isFile() && file.endsWith('.md') ? readFileSync(file, 'utf8') : ''
}

const findings = pages.sort().flatMap((file) => brokenLinks(read(file), look))
for (const finding of findings) console.error(finding)
process.exitCode = findings.length === 0 ? 0 : 1
