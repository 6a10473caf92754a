import { spawn } from 'node:child_process'
import { verifies } from '@svc/conformance/verifies'
import { expect, it } from 'vitest'

const sample = new URL('./testing/sample.ts', import.meta.url).pathname

/** Runs the sample plugin over its whole stdin and gives what it left. */
async function run(...lines: (string | object)[]) {
  const child = spawn(process.execPath, [sample], { stdio: 'pipe' })
  const read = async (stream: NodeJS.ReadableStream) => {
    const chunks: Buffer[] = []
    for await (const chunk of stream) chunks.push(chunk as Buffer)
    return Buffer.concat(chunks).toString()
  }
  for (const line of lines) child.stdin.write(`${typeof line === 'string' ? line : JSON.stringify(line)}\n`)
  child.stdin.end()
  const exit = new Promise<number | null>((resolve) => child.once('exit', resolve))
  const [stdout, stderr] = await Promise.all([read(child.stdout), read(child.stderr)])
  const messages = stdout
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line))
  return { exitCode: await exit, stdout, stderr, messages }
}

const call = (id: string | number, name: string, args: object = {}, more: object = {}) => ({
  jsonrpc: '2.0',
  id,
  method: 'call',
  params: { name, args, ...more },
})

verifies(
  ['stdio.alive', 'stdio.lines', 'stdio.jsonrpc'],
  'answers until stdin ends, lets calls under way finish, and exits with 0',
  async () => {
    const { exitCode, messages } = await run(call(1, 'echo', { a: 1 }), call(2, 'lingers'), call(3, 'slow'))
    expect(messages).toEqual([
      { jsonrpc: '2.0', id: 1, result: { output: { a: 1 } } },
      { jsonrpc: '2.0', id: 2, result: { output: null } },
      { jsonrpc: '2.0', id: 3, result: { output: 'late' } },
    ])
    expect(exitCode).toBe(0)
  },
)

it('lives through garbage', async () => {
  const { exitCode, messages } = await run('garbage', '', '[]', '\u0000', call('a', 'echo'))
  expect(messages).toEqual([{ jsonrpc: '2.0', id: 'a', result: { output: {} } }])
  expect(exitCode).toBe(0)
})

it('keeps what the author prints out of stdout', async () => {
  const { stdout, stderr } = await run(call('a', 'chatty'))
  expect(stdout).toBe('before serve\n{"jsonrpc":"2.0","id":"a","result":{"output":{}}}\n')
  expect(stderr).toContain('a line of log\nanother\n')
})

it('takes and gives lines of 16 MiB', async () => {
  const head = JSON.stringify(call('a', 'length', { text: '' })).length
  const text = 'x'.repeat(16 * 1_024 * 1_024 - head)
  const { messages } = await run(call('a', 'length', { text }), call('b', 'large', { bytes: text.length }))
  expect(messages[0]).toMatchObject({ id: 'a', result: { output: text.length } })
  expect(messages[1].result.output).toHaveLength(text.length)
})

it('skips a line of more than 16 MiB', async () => {
  const { messages, stderr } = await run(
    `${JSON.stringify(call('a', 'echo'))}${' '.repeat(16_777_217)}`,
    call('b', 'echo'),
  )
  expect(messages.map((message) => message.id)).toEqual(['b'])
  expect(stderr).toContain('16777216')
})

it('says that a tool stopped because of its deadline', async () => {
  const { messages } = await run(call('a', 'deadline', {}, { deadline_ms: Date.now() + 300 }))
  expect(messages).toEqual([
    {
      jsonrpc: '2.0',
      id: 'a',
      error: {
        code: -32000,
        message: 'The deadline of the call has passed.',
        data: { name: 'tool_timeout' },
      },
    },
  ])
})
