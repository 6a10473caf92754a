// The way into `npm start`, `npm test` and the other commands. Runs on Node 20 with nothing installed:
// installs the packages, then hands over to the Node 24 that came with them.
import { ensurePackages, root } from './install.mjs'
import { run } from './spawn.mjs'
import { startProblem } from './start-problem.mjs'

/**
 * Task → the arguments of `node`; what follows the task on the command line is appended.
 *
 * @type {Map<string, string[]>}
 */
const tasks = new Map([
  ['start', ['packages/cli/src/main.ts', 'dev']],
  ['test', ['scripts/test.ts']],
  ['check', ['scripts/check.ts']],
  ['reference', ['scripts/reference.ts']],
  ['examples', ['scripts/examples/main.ts']],
  ['docs', ['scripts/docs/main.ts']],
  ['manifests', ['scripts/manifests.ts']],
  ['build', ['scripts/build.ts']],
  ['pack', ['scripts/pack.ts']],
  ['release', ['scripts/release/main.ts']],
  ['first-minutes', ['scripts/first-minutes.ts']],
  ['bench', ['bench/main.ts']],
  ['mutate', ['scripts/mutate/main.ts']],
  ['tools', ['scripts/install-tools.ts']],
  ['figures', ['scripts/figures.ts']],
  ['browsers', ['scripts/browsers.ts']],
  ['sbom', ['scripts/sbom.ts']],
  ['audit', ['scripts/audit.ts']],
])

const [name = '', ...rest] = process.argv.slice(2)
const task = tasks.get(name)
if (!task) fail(`there is no task "${name}"; the tasks are ${[...tasks.keys()].join(', ')}`)

// npm runs the scripts of a package in its folder.
process.chdir(root)
const trouble =
  name === 'start'
    ? await ensurePackages('start', () => startProblem(rest, process.env))
    : await ensurePackages('all')
if (trouble) fail(trouble)
// It may ask something.
const { code } = await run('node', [...task, ...rest], { stdin: name === 'tools' ? 'inherit' : 'ignore' })
process.exitCode = code

/**
 * @param {string} sentence
 * @returns {never}
 */
function fail(sentence) {
  console.error(`svc: ${sentence}`)
  process.exit(1)
}
