// `npm run check -- growth`: holds the lines of each package and the words of the pages to their ceilings.
import { globSync, readFileSync } from 'node:fs'
import { sourcesOf } from '../figures/sources.ts'
import { pageFiles } from '../page-commands.ts'
import { ceilings, growthProblems } from './ceilings.ts'

const linesOf = (dir: string) => sourcesOf(dir).reduce((all, { lines }) => all + lines, 0)
const wordsOf = (file: string) =>
  readFileSync(file, 'utf8')
    .split(/\s+/)
    .filter((word) => word !== '').length

const counts = new Map(globSync('packages/*').map((dir) => [dir, linesOf(dir)]))
counts.set(
  'words of pages',
  pageFiles.reduce((all, file) => all + wordsOf(file), 0),
)
const problems = growthProblems(counts)
for (const problem of problems) console.log(`  ✗ ${problem}`)
if (problems.length > 0) console.log('The ceilings are in scripts/growth/ceilings.ts.')
else console.log(`growth: ${Object.keys(ceilings).length} ceilings hold`)
process.exitCode = problems.length > 0 ? 1 : 0
