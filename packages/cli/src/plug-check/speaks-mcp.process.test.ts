import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runHere } from '../testing/run-here.ts'

/** The answers of an MCP server; what comes before `initialize` it refuses, passes over, or ends at, as servers do. */
const server = (early: string) => `
const results = {
  initialize: ({ protocolVersion }) => ({ protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'rhymes', version: '1.0.0' } }),
  'tools/list': () => ({ tools: [{ name: 'rhyme', inputSchema: { type: 'object' } }] }),
  'tools/call': ({ name }) =>
    name === 'rhyme' ? { content: [{ type: 'text', text: 'cat' }] } : { isError: true, content: [{ type: 'text', text: 'no such tool' }] },
}
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line)
  if (id === undefined) return
  const result = results[method]?.(params)
  if (!result) return ${early}
  console.log(JSON.stringify({ jsonrpc: '2.0', id, result }))
})`
const refuses = `console.log(JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32601, message: 'Method not found' } }))`
const PLUGIN = `
const env = ({ SVC_TEST_A, SVC_TEST_B }) => [SVC_TEST_A, SVC_TEST_B].join('|')
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line)
  const isKnown = params?.name === 'say'
  const result = method === 'describe'
    ? { name: 'words', tools: [{ name: 'compare_texts' }, { name: 'say' }] }
    : isKnown ? { output: params.args.env ? env(process.env) : 'hi' } : { success: false, error: 'no such tool' }
  console.log(JSON.stringify({ jsonrpc: '2.0', id, result }))
})`

let cwd = ''
beforeAll(() => {
  cwd = mkdtempSync(path.join(tmpdir(), 'svc-mcp-'))
  writeFileSync(path.join(cwd, 'refuses.cjs'), server(refuses))
  writeFileSync(path.join(cwd, 'ends.cjs'), server('process.exit(1)'))
  writeFileSync(path.join(cwd, 'plugin.cjs'), PLUGIN)
})
afterAll(() => rmSync(cwd, { recursive: true }))
const plug = (...words: string[]) => runHere(['plug', ...words], { cwd })

describe('an MCP server', () => {
  it.each(['refuses', 'ends'])('that %s is known for one by svc plug check', async (name) => {
    const { code, out } = await plug('check', '--', 'node', `${name}.cjs`)
    expect(code).toBe(1)
    expect(out).toContain('it speaks MCP, and not the plugin protocol')
    expect(out).toContain(
      `Type svc plug check --protocol mcp -- node ${name}.cjs, and write "protocol": "mcp"`,
    )
  })

  it.each([
    ['its only tool', []],
    ['a tool', ['--tool', 'rhyme', '--args', '{"of": "it\'s"}']],
  ])('that is called without its protocol is known for one: %s', async (_, words) => {
    const { code, err } = await plug('call', ...words, '--', 'node', 'refuses.cjs')
    const typed = words.length === 0 ? '' : String.raw`--tool rhyme --args '{"of": "it'\''s"}' `
    expect(code).toBe(2)
    expect(err).toContain('it speaks MCP, and not the plugin protocol')
    expect(err).toContain(`Type svc plug call --protocol mcp ${typed}-- node refuses.cjs, and write`)
  })

  it('is checked and called through the adapter', async () => {
    const checked = await plug('check', '--protocol', 'mcp', '--json', '--', 'node', 'refuses.cjs')
    expect(JSON.parse(checked.out)).toMatchObject({ ok: true })
    const called = await plug('call', '--protocol', 'mcp', '--', 'node', 'refuses.cjs')
    expect(called).toMatchObject({ code: 0, out: expect.stringContaining('cat') })
  })
})

describe('a tool', () => {
  it.each(['check', 'call'])(
    'that the plugin does not have is named with those that it has: %s',
    async (word) => {
      expect(await plug(word, '--tool', 'compare_text', '--', 'node', 'plugin.cjs')).toMatchObject({
        code: 2,
        err: expect.stringMatching(
          /the plugin has no tool "compare_text"; did you mean `compare_texts`\?\n +Its tools are compare_texts, say\.\n/,
        ),
      })
    },
  )

  it('that returns a text is shown as an app gets it', async () => {
    const { out } = await plug('call', '--tool', 'say', '--', 'node', 'plugin.cjs')
    expect(JSON.parse(out)).toEqual({ value: 'hi' })
  })

  it('has the variables that are named with --env', async () => {
    writeFileSync(path.join(cwd, '.env'), 'SVC_TEST_B=kept\n')
    const words = ['--tool', 'say', '--args', '{"env":true}', '--env', 'SVC_TEST_A=a=b', '--env=SVC_TEST_B']
    const { out } = await plug('call', ...words, '--', 'node', 'plugin.cjs')
    expect(JSON.parse(out)).toEqual({ value: 'a=b|kept' })
    for (const [wrong, sentence] of [
      ['SVC_TEST_NONE', '--env SVC_TEST_NONE has no value'],
      ['2=x', '--env must be NAME=VALUE or NAME, got "2=x"'],
    ] as const)
      expect(await plug('check', '--env', wrong, '--', 'node', 'plugin.cjs')).toMatchObject({
        code: 2,
        err: expect.stringContaining(sentence),
      })
  })

  it('that is called by a check is named before each call', async () => {
    const { err } = await plug('check', '--tool', 'say', '--', 'node', 'plugin.cjs')
    expect(err).toContain('svc: calls say once, to its end\n')
  })
})
