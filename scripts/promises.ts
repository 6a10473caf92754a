// Holds `T | Promise<T>` to its places (docs/decisions/0071-promise-or-value.md), what is begun with `void` to what never
// rejects (docs/decisions/0210-no-promise-without-an-owner.md), and both lists to what is there.
import { globSync } from 'node:fs'
import { sourcesOf } from './figures/sources.ts'
import { allowed, readPlaces } from './promise-or-value.ts'
import { neverRejects, owning, readUnowned } from './promise-owners.ts'

const places = globSync('packages/*')
  .sort()
  .flatMap((dir) =>
    sourcesOf(dir).flatMap(({ file, text }) => readPlaces(file, text).map((place) => ({ file, ...place }))),
  )
const used = new Set(places.map(({ entry }) => entry))
const begun = owning.flatMap((name) =>
  sourcesOf(`packages/${name}`).flatMap(({ file, text }) =>
    readUnowned(file, text).map((one) => ({ file, ...one })),
  ),
)
const begunOf = new Set(begun.map(({ entry }) => entry))
const findings = [
  ...begun
    .filter(({ isAllowed }) => !isAllowed)
    .map(({ file, line, call }) => `${file}:${line}: give "${call}" a catch: a rejection ends the process`),
  ...Object.keys(neverRejects)
    .filter((entry) => !begunOf.has(entry))
    .map((entry) => `scripts/promise-owners.ts: "${entry}" is not needed any more`),
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
