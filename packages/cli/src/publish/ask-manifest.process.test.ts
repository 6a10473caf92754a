import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { askManifest } from './ask-manifest.ts'

/** A process of the adapter, and one of the server behind it. */
const SLOW_MS = 30_000

/** An MCP server with a tool for those alone who offer it sampling, as real ones have. */
const SERVER = `
let offered = {}
const results = {
  initialize: ({ protocolVersion, capabilities }) => {
    offered = capabilities
    return { protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'rhymes', version: '1.0.0' } }
  },
  'tools/list': () => ({
    tools: ['count', ...(offered.sampling ? ['rhyme'] : [])].map((name) => ({ name, inputSchema: { type: 'object' } })),
  }),
}
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line)
  const result = results[method]?.(params)
  if (result) console.log(JSON.stringify({ jsonrpc: '2.0', id, result }))
})`

let dir = ''
beforeAll(() => {
  dir = mkdtempSync(path.join(tmpdir(), 'svc-ask-'))
  writeFileSync(path.join(dir, 'server.cjs'), SERVER)
})
afterAll(() => rmSync(dir, { recursive: true }))

it.each([
  [true, ['count', 'rhyme'], ['llm.sample']],
  [undefined, ['count'], undefined],
])(
  'asks an MCP server as it will be run, sampling %j',
  { timeout: SLOW_MS },
  async (sampling, tools, asksFor) => {
    const file = {
      dir,
      command: ['node', 'server.cjs'],
      named: {},
      described: {},
      toolId: undefined,
      draftId: undefined,
      distribution: { type: 'npm', package_name: 'rhymes', protocol: 'mcp', sampling } as const,
    }
    const manifest = (await askManifest(file, new AbortController().signal)) as {
      tools: { name: string }[]
      host_capabilities?: string[]
    }
    expect(manifest.tools.map(({ name }) => name)).toEqual(tools)
    expect(manifest.host_capabilities).toEqual(asksFor)
  },
)
