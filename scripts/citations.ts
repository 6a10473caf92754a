// Holds comments and pages to what a reader can open: no section of a document that is not in this repository.
import { existsSync, globSync, readFileSync } from 'node:fs'
import { unknownSources } from './unknown-sources.ts'

const files = globSync(
  ['*.{md,ts}', '{packages,examples,bench,scripts,docs}/**/*.{md,ts,tsx,mjs,js,py,html}'],
  {
    exclude: (name) => /(^|\/)(node_modules|dist|coverage)$/.test(name),
  },
)
const findings = files
  .filter((file) => existsSync(file))
  .sort()
  .flatMap((file) => unknownSources({ file, text: readFileSync(file, 'utf8') }))
for (const finding of findings) console.error(finding)
process.exitCode = findings.length === 0 ? 0 : 1
