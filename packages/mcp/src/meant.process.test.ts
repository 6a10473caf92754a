import { verifies } from '@svc/conformance/verifies'
import { expect, test } from 'vitest'
import { openAdapter } from './testing/adapter.ts'

const head = '{"jsonrpc":"2.0","id":$ID,"result":{"content":'

verifies.each('mcp.meant')([
  ['NaN', { text: `${head}[],"structuredContent":{"a":NaN}}}\n` }, 'has NaN as a value'],
  ['an indent', { text: '{\n  "jsonrpc": "2.0",\n  "id": $ID\n}\n' }, 'several lines of a message'],
  ['a batch', { text: `[${head}[]}}]\n` }, 'a list of messages'],
  ['Latin-1', { text: `${head}[{"type":"text","text":"\u00e9"}]}}\n`, encoding: 'latin1' }, 'is not UTF-8'],
  ['no line feed', { text: `${head}[]}}` }, 'does not end with a line feed'],
  ['half of it', { text: `${head}[`, exits: true }, 'ends too early'],
])('a server whose answer cannot be read fails its call at once: %s', async (_, args, what) => {
  const adapter = openAdapter()
  const { error } = await adapter.call('raw', args)
  expect(error.message).toContain('the MCP server wrote a line that is meant as a message')
  expect(error.message).toContain(what)
  await adapter.end()
})

verifies('mcp.meant', 'a server that shakes hands in frames is told of at once', async () => {
  const adapter = openAdapter({ mode: 'frames' })
  expect((await adapter.ask('describe')).error.message).toContain('the header Content-Length of a frame')
  await adapter.end()
})

test('a mark before a line and CR behind it are read', async () => {
  const adapter = openAdapter()
  const { result } = await adapter.call('raw', { text: `\ufeff${head}[]}}\r\n` })
  expect(result.output).toEqual({ content: [] })
  await adapter.end()
})
