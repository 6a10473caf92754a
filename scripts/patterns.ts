// Refuses regular expressions that take quadratic time or more: what a stranger sends would stop the process.
import { globSync } from 'node:fs'
import { sourcesOf } from './figures/sources.ts'
import { allowed, patternProblems } from './pattern-problems.ts'

const found = globSync('packages/*')
  .sort()
  .flatMap((dir) =>
    sourcesOf(dir).flatMap(({ file, text }) => patternProblems(file, text).map((one) => ({ file, ...one }))),
  )
const used = new Set(found.map(({ pattern }) => pattern))
const findings = [
  ...found
    .filter(({ pattern }) => !Object.hasOwn(allowed, pattern))
    .map(
      ({ file, line, pattern }) =>
        `${file}:${line}: ${pattern} takes quadratic time or more; let a match begin and go on in one way only`,
    ),
  ...Object.keys(allowed)
    .filter((pattern) => !used.has(pattern))
    .map((pattern) => `scripts/pattern-problems.ts: ${pattern} is not needed any more`),
]

for (const finding of findings) console.error(finding)
process.exitCode = findings.length === 0 ? 0 : 1
