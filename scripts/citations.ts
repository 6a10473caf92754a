// Checks that the sources of requirements, comments and pages are files of this repository, and that rulings are short.
import { globSync, readFileSync, statSync } from 'node:fs'
import { requirements } from '../packages/conformance/src/requirements.ts'
import { wrongLengths } from './ruling-lengths.ts'
import { missingSources, unknownSources } from './unknown-sources.ts'

const isFile = (path: string) => statSync(path, { throwIfNoEntry: false })?.isFile() ?? false

const files = globSync(
  ['*.{md,ts}', '{packages,examples,bench,scripts,docs}/**/*.{md,ts,tsx,mjs,js,py,html}'],
  {
    exclude: (name) => /(^|\/)(node_modules|dist|coverage)$/.test(name),
  },
)
const read = (file: string) => ({ file, text: readFileSync(file, 'utf8') })
const rulings = globSync('docs/decisions/[0-9]*.md').sort()
const findings = [
  ...missingSources(requirements, isFile),
  ...files
    .filter(isFile)
    .sort()
    .flatMap((file) => unknownSources(read(file), isFile)),
  ...wrongLengths(rulings.map(read)),
]
for (const finding of findings) console.error(finding)
process.exitCode = findings.length === 0 ? 0 : 1
