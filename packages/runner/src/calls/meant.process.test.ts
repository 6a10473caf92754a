import { verifies } from '@svc/conformance/verifies'
import { afterAll, describe, expect, it } from 'vitest'
import { openBed } from '../testing/bed.ts'

const bed = openBed()
afterAll(() => bed.runner.close())
const head = '{"jsonrpc":"2.0","id":$ID,"result":{"output":'
const long = JSON.stringify('x'.repeat(100_000))

describe('a line that is meant as the answer', () => {
  verifies.each('decision.lines.meant')([
    ['NaN', `${head}NaN}}\n`, 'has NaN as a value'],
    ['NaN in a long line', `${head}[${long},NaN]}}\n`, 'has NaN as a value'],
    [
      'an indent',
      '{\n  "jsonrpc": "2.0",\n  "id": $ID,\n  "result": {\n    "output": 1\n  }\n}\n',
      'several lines',
    ],
    ['text before it', `Loading… ${head}1}}\n`, 'before the message'],
    ['no line feed', `${head}1}}`, 'does not end with a line feed'],
    ['no id', '{"jsonrpc":"2.0","result":{"output":1}}\n', 'has no id'],
    ['null as the id', '{"jsonrpc":"2.0","id":null,"error":{"code":-32700}}\n', 'has null as its id'],
    ['a frame', `Content-Length: 50\r\n\r\n${head}1}}`, 'Content-Length'],
  ])('fails its call long before the deadline: %s', async (_, text, what) => {
    const outcome = await bed.call('raw', { text })
    expect(outcome).toMatchObject({ ok: false, code: 'plug_error', details: { hint: expect.any(String) } })
    expect(outcome).toHaveProperty('message', expect.stringContaining('The plugin "tool-hostile" wrote'))
    expect(outcome).toHaveProperty('message', expect.stringContaining(what))
  })

  verifies('decision.lines.meant', 'fails its job and its describe', async () => {
    const { outcome } = bed.job('raw', { text: `${head}NaN}}\n` })
    expect(await outcome).toMatchObject({ ok: false, code: 'plug_error' })
    const text = '{"jsonrpc":"2.0","id":"describe","result":{"name":"a","tools":[],}}'
    const command = ['node', '-e', `process.stdin.once('data', () => console.log(${JSON.stringify(text)}))`]
    const described = await bed.runner.describe({ id: 'comma', version: '1.0.0', command })
    expect(described).toMatchObject({
      code: 'plug_error',
      message: expect.stringContaining('a comma before }'),
    })
  })

  verifies.each('decision.lines.meant')([
    ['in a call', 'bytes', {}],
    ['in a long line', 'latin1', { text: `${head}"\u00e9${'x'.repeat(100_000)}"}}\n` }],
    ['in another order', 'latin1', { text: '{"result":{"output":"\u00e9"},"id":$ID}\n' }],
  ])('is told where it is not UTF-8 %s', async (_, tool, args) => {
    expect(await bed.call(tool, args)).toMatchObject({
      code: 'plug_error',
      message: expect.stringContaining('is not UTF-8'),
    })
  })

  verifies('decision.lines.meant', 'is told where the process ends with half of it', async () => {
    expect(await bed.call('rawAndExit', { text: `${head}[1,2` })).toMatchObject({
      code: 'plug_error',
      message: expect.stringContaining('ends too early'),
    })
  })

  it('is not the answer where a right one is behind it', async () => {
    for (const line of ['sent {"jsonrpc":"2.0","id":"inv_1","result":NaN}', '  "jsonrpc": "2.0",'])
      expect(await bed.call('line', { line })).toMatchObject({ ok: true })
  })

  verifies.each('decision.lines.mark')([
    ['a mark', `\ufeff${head}1}}\n`],
    ['a mark of a long line', `\ufeff${head}${long}}}\n`],
    ['CR', `${head}1}}\r\n`],
    ['an empty line before it', `\r\n${head}1}}\r\n`],
  ])('is read with %s', async (_, text) => {
    expect(await bed.call('raw', { text })).toMatchObject({ ok: true })
  })
})
