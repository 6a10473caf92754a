// `npm run histories`: the tests of random histories, each with its whole number of them.
// `npm run histories -- races` runs only the files whose path holds one of these words.
import { globSync, readFileSync } from 'node:fs'
import { isStopped, run } from './spawn.mjs'

const MINUTES = 30
const HELPER = "from '@svc/conformance/histories'"

const words = process.argv.slice(2)
const files = globSync('packages/*/src/**/*.test.ts')
  .filter((file) => words.length === 0 || words.some((word) => file.includes(word)))
  .filter((file) => readFileSync(file, 'utf8').includes(HELPER))
  .sort()
if (files.length === 0) {
  console.error(`svc: no test of random histories has ${words.join(' or ')} in its path`)
  process.exit(1)
}
const env = { ...process.env, SVC_HISTORIES: 'whole' }
const { code } = await run('vitest', ['run', '--project', 'unit', ...files], { env, minutes: MINUTES })
process.exitCode = isStopped() ? 1 : code
