// The door of `npm start`, `npm test` and the other commands. Runs on Node 20 with nothing installed:
// installs the packages, then hands over to the Node 24 that came with them.
import { ensurePackages } from './install.mjs'
import { run } from './spawn.mjs'

/** Task → the arguments of `node`; what stands behind the task on the command line is appended. */
const tasks = new Map([
  ['start', ['packages/cli/src/main.ts', 'dev']],
  ['test', ['scripts/test.ts']],
  ['check', ['scripts/check.ts']],
  ['reference', ['scripts/reference.ts']],
  ['manifests', ['scripts/manifests.ts']],
  ['build', ['scripts/build.ts']],
  ['bench', ['bench/main.ts']],
])

const [name = '', ...rest] = process.argv.slice(2)
const task = tasks.get(name)
if (!task) fail(`there is no task "${name}"; the tasks are ${[...tasks.keys()].join(', ')}`)

const trouble = await ensurePackages()
if (trouble) fail(trouble)
const { code } = await run('node', [...task, ...rest])
process.exitCode = code

/**
 * @param {string} sentence
 * @returns {never}
 */
function fail(sentence) {
  console.error(`svc: ${sentence}`)
  process.exit(1)
}
