// Holds the sources of requirements, comments and pages to what a reader can open: a file of this repository.
import { globSync, readFileSync, statSync } from 'node:fs'
import { requirements } from '../packages/conformance/src/requirements.ts'
import { missingSources, unknownSources } from './unknown-sources.ts'

const isFile = (path: string) => statSync(path, { throwIfNoEntry: false })?.isFile() ?? false

const files = globSync(
  ['*.{md,ts}', '{packages,examples,bench,scripts,docs}/**/*.{md,ts,tsx,mjs,js,py,html}'],
  {
    exclude: (name) => /(^|\/)(node_modules|dist|coverage)$/.test(name),
  },
)
const findings = [
  ...missingSources(requirements, isFile),
  ...files
    .filter(isFile)
    .sort()
    .flatMap((file) => unknownSources({ file, text: readFileSync(file, 'utf8') }, isFile)),
]
for (const finding of findings) console.error(finding)
process.exitCode = findings.length === 0 ? 0 : 1
