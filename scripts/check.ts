// `npm run check`: everything that can be said about the code without running it.
import { existsSync, globSync } from 'node:fs'
import path from 'node:path'
import { didYouMean } from '../packages/contract/src/values/nearest.ts'
import { run } from './spawn.mjs'
import { twoAtATime } from './two-at-a-time.ts'
import { typePrograms } from './type-programs.ts'

interface Check {
  readonly name: string
  readonly command: readonly [string, ...string[]]
}

const MINUTES = 5
const CACHE = 'node_modules/.cache/svc'

const projects = globSync(['packages/*', 'examples/*', 'bench', 'docs', 'scripts'])
  .filter((dir) => existsSync(path.join(dir, 'tsconfig.json')))
  .sort()

const checks: readonly Check[] = [
  ...typePrograms(projects, CACHE).map(
    ({ dirs, config }): Check => ({ name: `types ${dirs.join(' ')}`, command: ['tsc', ...typeArgs(config)] }),
  ),
  { name: 'biome', command: ['biome', 'ci', '--colors=off', '.'] },
  { name: 'graph', command: ['node', 'scripts/graph.ts'] },
  { name: 'growth', command: ['node', 'scripts/growth/main.ts'] },
  { name: 'patterns', command: ['node', 'scripts/patterns.ts'] },
  { name: 'promises', command: ['node', 'scripts/promises.ts'] },
  { name: 'citations', command: ['node', 'scripts/citations.ts'] },
  { name: 'supply', command: ['node', 'scripts/supply.ts'] },
  { name: 'links', command: ['node', 'scripts/links.ts'] },
  { name: 'manifests', command: ['node', 'scripts/manifests.ts', '--check'] },
  { name: 'examples', command: ['node', 'scripts/examples/main.ts', '--check'] },
  { name: 'reference', command: ['node', 'scripts/reference.ts', '--check'] },
  { name: 'knip', command: ['knip', '--no-progress'] },
]

const asked = process.argv.slice(2)
const wanted = checks.filter(({ name }) => asked.length === 0 || asked.some((word) => name.startsWith(word)))
const unknown = asked.filter((word) => !checks.some(({ name }) => name.startsWith(word)))
const names = checks.flatMap(({ name }) => name.split(' '))
for (const word of unknown) console.error(`svc: there is no check "${word}"${didYouMean(word, names)}`)

const failed: string[] = []
await twoAtATime(wanted, judge)
const passed = wanted.length - failed.length
console.log(
  failed.length === 0
    ? `check: ${passed} of ${wanted.length} hold`
    : `check: ${failed.join(', ')} failed (${passed} of ${wanted.length} hold)`,
)
process.exitCode = failed.length === 0 && unknown.length === 0 ? 0 : 1

/**
 * One thread each: two of them side by side fill two cores, and threads of one program check much of it twice. What the
 * run before found of files that are the same still, and use the same, is kept.
 */
function typeArgs(config: string): string[] {
  const kept = path.join(CACHE, `${path.basename(config, '.json')}.tsbuildinfo`)
  const incremental = ['--incremental', '--tsBuildInfoFile', kept]
  return ['--noEmit', ...incremental, '--pretty', 'false', '--singleThreaded', '-p', config]
}

async function judge({ name, command: [file, ...args] }: Check): Promise<void> {
  const from = performance.now()
  const { code, output } = await run(file, args, { capture: true, minutes: MINUTES })
  const seconds = ((performance.now() - from) / 1_000).toFixed(1)
  if (code !== 0) failed.push(name)
  console.log(`${code === 0 ? '✓' : '✗'} ${name} (${seconds} s)`)
  if (code !== 0) console.log(output.trimEnd().replaceAll(/^/gm, '    '))
}
