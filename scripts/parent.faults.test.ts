import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { expect, it, onTestFinished } from 'vitest'
import { processesWith } from '../packages/conformance/src/testing/processes.ts'
import { someRows } from '../packages/conformance/src/testing/some-rows.ts'

const root = path.resolve(import.meta.dirname, '..')
const GONE = { timeout: 8_000, interval: 50 }

/** `npm start` of one example, once its host answers. */
async function start() {
  const mark = `SVC_CHAIN=${randomUUID()}`
  const args = ['start', '--', 'examples/hello-window', '--port', '0', '--no-watch', '--json']
  const npm: ChildProcess = spawn('npm', args, {
    cwd: root,
    env: { ...process.env, SVC_CHAIN: mark.slice('SVC_CHAIN='.length) },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const chain = () => processesWith(mark)
  onTestFinished(() => {
    for (const { pid } of chain()) process.kill(pid, 'SIGKILL')
  })
  if (!npm.stdout) throw new Error('npm has no stdout')
  const lines = createInterface(npm.stdout)
  for (let line = ''; !line.startsWith('{'); ) [line] = await once(lines, 'line')
  return { npm, chain }
}

/** Who of the chain gets the signal, by what its command line begins with. */
const members = {
  npm: /^(npm|node .*npm)/,
  'the shell': /^\S*sh -c /,
  'run.mjs': /^node scripts\/run\.mjs/,
} as const

it.each(
  someRows(
    [
      ['npm', 'SIGTERM'],
      ['npm', 'SIGKILL'],
      ['the shell', 'SIGTERM'],
      ['the shell', 'SIGKILL'],
      ['run.mjs', 'SIGKILL'],
    ] as const,
    3,
  ),
)('what npm start has started ends when %s gets %s', async (member, signal) => {
  const { chain } = await start()
  const one = chain().find(({ command }) => members[member].test(command))
  expect(chain().length).toBeGreaterThan(2)
  // A shell that became the task is the task.
  process.kill(one?.pid ?? Number.NaN, signal)
  await expect.poll(chain, GONE).toEqual([])
})
