import { createServer } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { startProblem } from './start-problem.mjs'

async function takenPort(): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const server = createServer().listen(0, '127.0.0.1', resolve)
  await promise
  onTestFinished(() => void server.close())
  return (server.address() as { port: number }).port
}

it.each(['--port X', '--port=X', 'scripts --port X --open'])(
  'npm start -- %s: the port is taken',
  async (words) => {
    const port = await takenPort()
    expect(await startProblem(words.replace('X', String(port)).split(' '), {})).toBe(
      `port ${port} is in use; type: npm start -- --port ${port + 1}, or no port for the next free one`,
    )
  },
)

it.each<[string[], NodeJS.ProcessEnv, string]>([
  [['9000'], { npm_config_port: 'true' }, 'npm kept --port for itself; type: npm start -- --port 9000'],
  [[], { npm_config_port: '9000' }, 'npm kept --port for itself; type: npm start -- --port 9000'],
  [['nowhere'], {}, 'there is no folder nowhere; name that of an app: npm start -- examples/notes'],
])('npm start %j is told what works', async (words, env, sentence) => {
  expect(await startProblem(words, env)).toBe(sentence)
})

it.each([[[]], [['scripts']], [['--port', '0']], [['--port', 'x']], [['--open']]])(
  'npm start %j is left to svc',
  async (words) => {
    expect(await startProblem(words, {})).toBeNull()
  },
)
