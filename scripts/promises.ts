// Holds `T | Promise<T>` to its places (docs/decisions/0071-promise-or-value.md), and their list to what is there.
import { globSync } from 'node:fs'
import { sourcesOf } from './figures/sources.ts'
import { allowed, readPlaces } from './promise-or-value.ts'

const places = globSync('packages/*')
  .sort()
  .flatMap((dir) =>
    sourcesOf(dir).flatMap(({ file, text }) => readPlaces(file, text).map((place) => ({ file, ...place }))),
  )
const used = new Set(places.map(({ entry }) => entry))
const findings = [
  ...places
    .filter(({ isAllowed }) => !isAllowed)
    .map(
      ({ file, line, what }) => `${file}:${line}: make this a promise and await it, in place of "${what}"`,
    ),
  ...Object.keys(allowed)
    .filter((entry) => !used.has(entry))
    .map((entry) => `scripts/promise-or-value.ts: "${entry}" is not needed any more`),
]

for (const finding of findings) console.error(finding)
process.exitCode = findings.length === 0 ? 0 : 1
