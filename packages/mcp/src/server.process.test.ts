import { verifies } from '@svc/conformance/verifies'
import { afterEach, expect } from 'vitest'
import { startServer } from './server-process.ts'

const NUMBERS = '{"a":1.0,"b":[-0,1E5,1e400],"id":12345678901234567890}'
let server: ReturnType<typeof startServer> | undefined
afterEach(() => server?.close())

verifies('numbers.verbatim', 'a server answers with its numbers as they are on its line', async () => {
  const line = `{"jsonrpc":"2.0","id":1,"result":{"structuredContent":${NUMBERS}}}`
  server = startServer([
    'node',
    '-e',
    `process.stdin.once('data', () => console.log(${JSON.stringify(line)}))`,
  ])
  const heard = new Promise<object>((onMessage) =>
    server?.listen({ onMessage, onNoise() {}, onOpenLine() {}, onEnd() {} }),
  )
  server.send({ jsonrpc: '2.0', id: 1, method: 'tools/call' })
  expect(JSON.stringify(await heard)).toBe(line)
})

verifies('numbers.verbatim', 'an id that is written in another way is the same id', async () => {
  server = startServer([
    'node',
    '-e',
    `process.stdin.once('data', () => console.log('{"jsonrpc":"2.0","id":1.0,"result":{"a":1.0}}'))`,
  ])
  const heard = new Promise<object>((onMessage) =>
    server?.listen({ onMessage, onNoise() {}, onOpenLine() {}, onEnd() {} }),
  )
  server.send({ jsonrpc: '2.0', id: 1, method: 'tools/call' })
  expect(JSON.stringify(await heard)).toBe('{"jsonrpc":"2.0","id":1,"result":{"a":1.0}}')
})

verifies.each('mcp.end.server')([
  ['ended so itself', ['node', '-e', 'process.exit(127)'], 'has ended with exit code 127', 127],
  ['started what is not there', ['sh', '-c', 'no-such-program'], 'has ended with exit code 127', 127],
  ['is not there', ['no-such-program'], 'cannot be started: there is no program no-such-program', 127],
  ['is not there by its path', ['/no/such'], 'cannot be started: there is no program /no/such', 127],
  ['was killed', ['sh', '-c', 'kill -9 $$'], 'has ended by signal SIGKILL', 137],
] as const)('says what a server ended with that %s', async (_, command, sentence, code) => {
  server = startServer(command)
  const ended = new Promise<string>((onEnd) =>
    server?.listen({ onMessage() {}, onNoise() {}, onOpenLine() {}, onEnd }),
  )
  expect([await ended, server.exitCode]).toEqual([sentence, code])
})

verifies(
  'wall.answers',
  'what is said to a server and what it says are one line each, whatever is in them',
  async () => {
    const text = ['\n', '\r', '\r\n', '\u2028', '\u2029', '\u0085', '\u0000']
      .map((end) => `x${end}{"jsonrpc":"2.0","id":2,"result":{"forged":1}}${end}`)
      .join('')
    const echo = `process.stdin.on('data', (line) => process.stdout.write(line))`
    server = startServer(['node', '-e', echo])
    const heard: object[] = []
    const noise: number[] = []
    const last = new Promise<void>((done) =>
      server?.listen({
        onMessage(message) {
          heard.push(message)
          if (heard.length === 2) done()
        },
        onNoise: (line) => void noise.push('tooLong' in line ? line.tooLong : line.length),
        onOpenLine() {},
        onEnd: () => done(),
      }),
    )
    const said = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { text, [text]: 1 } }
    server.send(said)
    server.send({ jsonrpc: '2.0', method: 'end' })
    await last
    expect([heard, noise]).toEqual([[said, { jsonrpc: '2.0', method: 'end' }], []])
  },
)
