// `npm run build`: dist of every library (ES modules, CommonJS, declarations) and the shell's page.
// Development needs none of it: Node runs the sources. `npm run build -- sdk` builds only what is named.
import path from 'node:path'
import { copyInsideTypes } from './inside-types.ts'
import { libraries } from './libraries.ts'
import { run } from './spawn.mjs'
import { twoAtATime } from './two-at-a-time.ts'

const MINUTES = 5

const builds = [
  ...libraries.map(({ dir, inside = [] }) => ({
    dir,
    command: ['tsup', '--config', path.resolve('tsup.config.ts')],
    inside,
  })),
  { dir: 'packages/shell', command: ['vite', 'build', '--logLevel', 'warn'], inside: [] },
]

const asked = process.argv.slice(2)
const wanted = builds.filter(({ dir }) => asked.length === 0 || asked.includes(path.basename(dir)))
// Each is built from sources alone, so none waits for another.
await twoAtATime(wanted, async ({ dir, command: [file = '', ...args], inside }) => {
  const from = performance.now()
  const { code } = await run(file, args, { cwd: dir, minutes: MINUTES })
  // tsup writes declarations beside its other work, and calls nobody after them.
  if (code === 0) for (const name of inside) copyInsideTypes(dir, name)
  console.log(`${code === 0 ? '✓' : '✗'} ${dir} (${((performance.now() - from) / 1_000).toFixed(1)} s)`)
  if (code !== 0) process.exitCode = 1
})
