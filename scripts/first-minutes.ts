// What a new user waits for, from an empty home until something is seen: `npm run first-minutes`, and beside it
// create-vite in the same run. Packs this repository, and serves it and everything else from a registry on loopback that
// one round has warmed. `-- 5` does five rounds instead of three.
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { spread } from '../bench/lib/pairs.ts'
import { launchChromium } from '../packages/conformance/src/chromium.ts'
import { journeys, timed } from './first-minutes/journeys.ts'
import { programOf } from './program.mjs'
import { packRelease } from './release/pack.ts'
import { publish } from './release/publish.ts'
import { openRegistry } from './testing/registry.ts'

const rounds = Number(process.argv[2] ?? 3)
if (!Number.isInteger(rounds) || rounds < 1)
  throw new Error(`rounds must be a whole number from 1, got ${process.argv[2]}`)

const root = path.resolve(import.meta.dirname, '..')
const folder = mkdtempSync(path.join(tmpdir(), 'svc-first-'))
const [npm, ...before] = programOf('npm')
const behind = execFileSync(npm, [...before, 'config', 'get', 'registry'], { encoding: 'utf8' }).trim()
const registry = await openRegistry(folder, behind)
const browser = await launchChromium()
try {
  const { packages } = await packRelease(root, path.join(folder, 'release'), '@svc')
  const refused = await publish(packages, registry, { log: () => {}, env: registry.env })
  if (refused.length > 0) throw new Error(`not published: ${refused.join('; ')}`)
  const env: NodeJS.ProcessEnv = {
    ...registry.env,
    PATH: [path.join(root, 'node_modules/.bin'), process.env.PATH].join(path.delimiter),
    NODE_ENV: undefined,
  }
  const times = new Map(journeys.map(({ name }) => [name, [] as number[]]))
  for (let round = 0; round <= rounds; round++)
    for (const journey of journeys) {
      const home = path.join(folder, `home-${round}`, journey.name)
      mkdirSync(home, { recursive: true })
      const took = await timed(journey, env, home, browser)
      if (round > 0) times.get(journey.name)?.push(took)
      console.log(`${round === 0 ? 'warming' : `round ${round}`}: ${journey.name} ${seconds(took)}`)
      rmSync(home, { recursive: true, force: true })
    }

  const medianOf = (name: string) => spread(times.get(name) ?? []).median
  const peer = medianOf(journeys[0]?.name ?? '')
  console.log('\n| journey | median | limit | beside create-vite | commands | files to touch |')
  console.log('| --- | --- | --- | --- | --- | --- |')
  for (const { name, limitMs, commands, filesTouched } of journeys) {
    const took = medianOf(name)
    const limit = limitMs === undefined ? '' : `≤ ${seconds(limitMs)}`
    const cells = [name, seconds(took), limit, (took / peer).toFixed(2), commands.length, filesTouched]
    console.log(`| ${cells.join(' | ')} |`)
    if (limitMs !== undefined && took > limitMs) process.exitCode = 1
  }
} finally {
  await browser.close()
  await registry.close()
  rmSync(folder, { recursive: true, force: true })
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`
}
