import { cites } from '@svc/conformance/cites'
import { verifies } from '@svc/conformance/verifies'
import { describe, expect, it } from 'vitest'
import { toolsOf } from './tool-list.ts'

cites('mcp.describe', 'mcp.describe.names')

function read(list: readonly unknown[]) {
  const left: string[] = []
  const renamed = new Map<string, string>()
  return { tools: toolsOf(list, (sentence) => left.push(sentence), renamed), left, renamed }
}

describe('toolsOf', () => {
  it('keeps the input schema and reads parameters from it', () => {
    const inputSchema = {
      type: 'object',
      properties: {
        city: { type: 'string', description: 'Where' },
        days: { type: ['null', 'integer'], default: 3 },
        unit: { enum: ['C', 'F'] },
        odd: true,
      },
      required: ['city'],
    }
    const { tools, left } = read([{ name: 'forecast', description: 'The weather.', inputSchema }])
    expect(tools).toEqual([
      {
        name: 'forecast',
        description: 'The weather.',
        input_schema: inputSchema,
        parameters: [
          { name: 'city', type: 'string', required: true, description: 'Where' },
          { name: 'days', type: 'integer', default: 3 },
          { name: 'unit', type: 'any', enum: ['C', 'F'] },
          { name: 'odd', type: 'any' },
        ],
      },
    ])
    expect(left).toEqual([])
  })

  verifies('mcp.describe.output', 'says what the payload of a tool with an output schema is', () => {
    const outputSchema = {
      type: 'object',
      properties: { at: { $ref: '#/$defs/Place' } },
      $defs: { Place: {} },
    }
    const [tool] = read([{ name: 'a', outputSchema }]).tools
    expect(tool?.output_schema).toEqual({
      type: 'object',
      properties: {
        content: expect.objectContaining({ type: 'array' }),
        structuredContent: { type: 'object', properties: { at: { $ref: '#/$defs/Place' } } },
      },
      required: ['content', 'structuredContent'],
      $defs: { Place: {} },
    })
  })

  it.each([
    ['it refers to its root', { type: 'object', properties: { a: { $ref: '#' } } }],
    ['it refers to one of its properties', { properties: { a: {}, b: { $ref: '#/properties/a' } } }],
    ['it refers to another document', { $ref: 'https://site.org/a.json' }],
    ['it is not an object', ['a']],
  ])('leaves an output schema out if %s', (_, outputSchema) => {
    expect(read([{ name: 'a', outputSchema }]).tools).toEqual([{ name: 'a', parameters: [] }])
  })

  it('takes the title where there is no description', () => {
    expect(read([{ name: 'a', title: 'A title' }]).tools).toEqual([
      { name: 'a', description: 'A title', parameters: [] },
    ])
  })

  it('cuts what is too long', () => {
    const properties = Object.fromEntries(Array.from({ length: 65 }, (_, at) => [`p${at}`, {}]))
    const { tools, left } = read([{ name: 'a', description: 'x'.repeat(4_001), inputSchema: { properties } }])
    const [tool] = tools
    expect(tool?.description).toBe(`${'x'.repeat(3_999)}…`)
    expect(left).toEqual(['cut the description of the tool "a": the most is 4000 characters'])
    expect(tool?.parameters).toHaveLength(64)
  })

  it('leaves out a parameter that no key may be named after', () => {
    const inputSchema = JSON.parse('{"properties":{"__proto__":{"type":"string"},"":{},"a":{}}}')
    expect(read([{ name: 'a', inputSchema }]).tools[0]?.parameters).toEqual([{ name: 'a', type: 'any' }])
  })

  it.each([
    [{ name: '__proto__' }, 'left out the tool "__proto__": no tool may have this name'],
    [{ name: '' }, 'its name must be a string that is not empty'],
    [{ name: 7 }, 'left out the tool 7: its name must be a string'],
    [{}, 'left out the tool without a name'],
    [null, 'left out the tool without a name'],
    [{ name: 'x'.repeat(257) }, 'must be at most 256 characters, got 257'],
    [{ name: 'kept' }, 'another one has its name'],
    [{ name: 'a', execution: { taskSupport: 'required' } }, 'it runs only as an MCP task'],
  ])('leaves out %j and says why', (tool, sentence) => {
    const { tools, left } = read([{ name: 'kept' }, tool, { name: 'other' }])
    expect(tools.map(({ name }) => name)).toEqual(['kept', 'other'])
    expect(left).toEqual([expect.stringContaining(sentence)])
  })

  it.each([
    ['a name of 128 characters', { name: 'x'.repeat(128) }],
    ['dots and dashes', { name: 'a.b__c-d' }],
    ['a task that may be a call', { name: 'a', execution: { taskSupport: 'optional' } }],
  ])('takes %s', (_, tool) => {
    const { tools, renamed } = read([tool])
    expect([tools.map(({ name }) => name), renamed.size]).toEqual([[tool.name], 0])
  })

  verifies.each('mcp.describe.names')([
    ['slashes and spaces', 'browser/open a page', /^browser_open_a_page-[0-9a-f]{8}$/],
    ['another alphabet', '天気', /^_-[0-9a-f]{8}$/],
    ['escapes', 'a\u001b]0;x\u0007', /^a_0_x_-[0-9a-f]{8}$/],
    ['more than 128 characters', 'x'.repeat(256), /^x{119}-[0-9a-f]{8}$/],
  ])('gives a tool another name on our wire: %s', (_, own, name) => {
    const { tools, renamed } = read([{ name: own }, { name: `${own}!` }])
    const [first, second] = tools.map((tool) => tool.name)
    expect(first).toMatch(name)
    expect(second).not.toBe(first)
    expect(renamed.get(first ?? '')).toBe(own)
    // The name does not depend on what else there is.
    expect(read([{ name: own }]).tools[0]?.name).toBe(first)
  })

  verifies.each('approval.mcp')([
    ['true', { destructiveHint: true }, true],
    ['true beside the others', { readOnlyHint: true, destructiveHint: true }, true],
    ['false', { destructiveHint: false }, undefined],
    ['null', { destructiveHint: null }, undefined],
    ['a number', { destructiveHint: 1 }, undefined],
    ['a text', { destructiveHint: 'true' }, undefined],
    ['missing', {}, undefined],
    ['missing, of a tool that only reads', { readOnlyHint: true }, undefined],
    ['missing, of a tool that writes', { readOnlyHint: false }, undefined],
    ['in no object', [{ destructiveHint: true }], undefined],
    ['in nothing', null, undefined],
  ])('a destructiveHint that is %s', (_, annotations, destructive) => {
    expect(read([{ name: 'a', annotations }]).tools[0]?.destructive).toBe(destructive)
    // Outside of the annotations it is no hint.
    expect(read([{ name: 'a', destructiveHint: true, destructive: true }]).tools[0]).toEqual({
      name: 'a',
      parameters: [],
    })
  })

  it('takes 256 tools and no more', () => {
    const { tools, left } = read(Array.from({ length: 258 }, (_, at) => ({ name: `t${at}` })))
    expect(tools).toHaveLength(256)
    expect(left).toEqual(['left out 2 tools: a plugin has at most 256 tools'])
  })
})
