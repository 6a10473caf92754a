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
  const heard = new Promise<object>((onMessage) => server?.listen({ onMessage, onNoise() {}, onEnd() {} }))
  server.send({ jsonrpc: '2.0', id: 1, method: 'tools/call' })
  expect(JSON.stringify(await heard)).toBe(line)
})

verifies('numbers.verbatim', 'an id that is written in another way is the same id', async () => {
  server = startServer([
    'node',
    '-e',
    `process.stdin.once('data', () => console.log('{"jsonrpc":"2.0","id":1.0,"result":{"a":1.0}}'))`,
  ])
  const heard = new Promise<object>((onMessage) => server?.listen({ onMessage, onNoise() {}, onEnd() {} }))
  server.send({ jsonrpc: '2.0', id: 1, method: 'tools/call' })
  expect(JSON.stringify(await heard)).toBe('{"jsonrpc":"2.0","id":1,"result":{"a":1.0}}')
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
        onNoise: (bytes) => void noise.push(bytes),
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
