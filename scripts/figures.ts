// `npm run figures`: how large and how entangled the packages are, so that before and after are one measure.
import { globSync } from 'node:fs'
import path from 'node:path'
import { circlesOf } from './figures/circles.ts'
import { arrowsOf, type SourceFile, sourcesOf } from './figures/sources.ts'
import { measureTrips } from './figures/trips.ts'
import { readPlaces } from './promise-or-value.ts'

const sum = (sources: readonly SourceFile[]) => sources.reduce((lines, source) => lines + source.lines, 0)

/** What is counted in the text of sources, by what the row is called. */
const habits: Readonly<Record<string, RegExp>> = {
  'groups that are spread: `...{ a }`': /\.\.\.\{/g,
  'sections of papers that are not here': /\b(?:design|spec|specification) §|\bdecisions? \d+/gi,
  'variables of a module: `let` at the left edge': /^(?:export )?let /gm,
  'casts past the compiler: `as unknown as`': /\bas unknown as\b/g,
}

const packages = globSync('packages/*').sort()
const rows = packages.map((dir) => {
  const sources = sourcesOf(dir)
  const layers = arrowsOf(sources, 'layer', { withTypes: true })
  const circles = (by: 'layer' | 'file', withTypes: boolean) =>
    circlesOf(arrowsOf(sources, by, { withTypes }))
      .map((circle) => circle.length)
      .join('+') || '0'
  return {
    package: path.basename(dir),
    files: sources.length,
    'under 20 lines': sources.filter(({ lines }) => lines < 20).length,
    'over 250': sources.filter(({ lines }) => lines > 250).length,
    lines: sum(sources),
    'test lines': sum(sourcesOf(dir, true)),
    folders: new Set(sources.map(({ layer }) => layer)).size,
    arrows: [...layers.values()].reduce((all, to) => all + to.size, 0),
    'folders in circles': circles('layer', true),
    'at run time': circles('layer', false),
    'files in circles at run time': circles('file', false),
  }
})
console.table(rows)

const sources = packages.flatMap((dir) => sourcesOf(dir))
const promises = sources.flatMap(({ file, text }) => readPlaces(file, text))
const counts = Object.entries(habits).map(([habit, pattern]) => ({
  habit,
  places: sources.reduce((all, { text }) => all + [...text.matchAll(pattern)].length, 0),
}))
console.table([
  {
    habit: 'promise or value, where it may be',
    places: promises.filter(({ isAllowed }) => isAllowed).length,
  },
  { habit: 'promise or value elsewhere', places: promises.filter(({ isAllowed }) => !isAllowed).length },
  ...counts,
])

const helpers = packages
  .flatMap((dir) => sourcesOf(dir, true).map(({ file }) => file))
  .filter((file) => !/\.test\.tsx?$/.test(file))
const schemes = {
  'fixtures/': /\/fixtures\//,
  'testing/': /\/testing\//,
  '-for-tests': /-for-tests\./,
  '-bed': /-bed\./,
  'test-': /\/test-[^/]*$/,
}
console.table(
  Object.entries(schemes).map(([scheme, pattern]) => ({
    scheme,
    'test helpers': helpers.filter((file) => pattern.test(file)).length,
  })),
)

const trips = await measureTrips()
console.table(trips.map(({ names, ...trip }) => trip))
for (const { trip, names } of trips) console.log(`${trip}: ${names}`)
