import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
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
      reach: undefined,
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

/** A server that lists its tools with a key alone, and one for each folder and key that it was started with. */
const NEEDY = `
if (!process.env.KEY) { console.error('Error: KEY is required'); process.exit(1) }
if (process.env.KEY === 'placeholder' && process.argv.includes('--strict')) { console.error('Error: KEY is wrong'); process.exit(1) }
${SERVER.replace("'count', ", "'key-' + process.env.KEY, 'level-' + process.env.LEVEL, ")}`

describe('a server that needs a key', { timeout: SLOW_MS }, () => {
  const env = { KEY: { required: true, secret: true }, LEVEL: { default: 'low' } }
  const ask = async (command: string[], kept: string) => {
    writeFileSync(path.join(dir, 'needy.cjs'), NEEDY)
    writeFileSync(path.join(dir, '.env'), kept)
    const reach = { hosts: ['sky.org'] }
    const distribution = { type: 'npm', package_name: 'needy', protocol: 'mcp', env } as const
    const said: string[] = []
    const file = { dir, command, distribution, reach }
    const manifest = await askManifest(file, new AbortController().signal, (line) => said.push(line))
    return { manifest, said }
  }

  it.each([
    ['that .env has', 'KEY=k1', ['key-k1', 'level-low'], []],
    [
      'that nobody gave',
      '',
      ['key-placeholder', 'level-low'],
      [/^KEY has no value here.* with a placeholder$/],
    ],
  ])(
    'is asked with the one %s, and what the file reaches is in its manifest',
    async (_, kept, tools, said) => {
      const asked = await ask(['node', 'needy.cjs'], kept)
      expect(asked.manifest).toMatchObject({
        tools: tools.map((name) => ({ name })),
        reach: { hosts: ['sky.org'] },
      })
      expect(asked.said).toEqual(said.map((one) => expect.stringMatching(one)))
    },
  )

  it('says what its server said, and which value was a placeholder', async () => {
    await expect(ask(['node', 'needy.cjs', '--strict'], '')).rejects.toMatchObject({
      message: expect.stringContaining('KEY is wrong'),
      hint: expect.stringMatching(
        /^It had a placeholder for KEY: write the value into \.env beside svc\.plug\.json/,
      ),
    })
  })
})
