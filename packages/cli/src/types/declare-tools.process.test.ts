import { rounds } from '@svc/conformance/rounds'
import { verifies } from '@svc/conformance/verifies'
import { limits } from '@svc/contract'
import { parseDescription } from '@svc/runner'
import { expect, it } from 'vitest'
import { declareTools } from './declare-tools.ts'

const header = ['Written by `svc types`.']

/** The file for a plugin with these tools, as a runner reads them. */
function declared(tools: readonly object[], names: readonly string[] = ['weather']): string {
  const description = parseDescription({ name: 'x', tools }, limits)
  if (typeof description === 'string') throw new Error(description)
  return declareTools({ header, plugins: [{ names, description }] })
}

const forecast = {
  name: 'forecast',
  description: 'The weather.',
  parameters: [
    { name: 'city', type: 'string', required: true, description: 'Where.' },
    { name: 'days', type: 'integer', default: 3 },
    { name: 'unit', type: 'string', enum: ['C', 'F'] },
    { name: 'when', type: 'date' },
  ],
}

it('declares what a tool takes and returns', () => {
  const output_schema = { type: 'object', properties: { sky: { type: 'string' } }, required: ['sky'] }
  expect(declared([{ ...forecast, output_schema }])).toBe(`// Written by \`svc types\`.

import type {} from '@svc/sdk'

declare module '@svc/sdk' {
  interface KnownTools {
    weather: {
      /** The weather. */
      forecast: {
        args: {
          /** Where. */
          city: string
          /** Default: 3 */
          days?: number | undefined
          unit?: 'C' | 'F' | undefined
          when?: unknown
        }
        result: {
          sky: string
        }
      }
    }
  }
}
`)
})

it('declares nothing where there are no plugins', () => {
  expect(declareTools({ header, plugins: [] })).toBe(
    `// Written by \`svc types\`.\n\nimport type {} from '@svc/sdk'\n\ndeclare module '@svc/sdk' {\n  interface KnownTools {}\n}\n`,
  )
})

it('lists plugins whose tools are not known, and gives each name of a plugin the same tools', () => {
  const description = { name: 'x', tools: [] }
  const plugins = [{ names: ['tool-ada-weather-1', 'weather'], description }]
  expect(declareTools({ header, plugins, open: ['b', 'a-b'] })).toContain(`  interface KnownTools {
    'tool-ada-weather-1': {}
    weather: KnownTools['tool-ada-weather-1']
  }
  interface OpenTools {
    'a-b': unknown
    b: unknown
  }
`)
})

it.each([
  ['an object', { type: 'object' }, 'Record<string, unknown>'],
  ['a list', { type: 'array', items: { type: 'string' } }, 'Payload<string[]>'],
  [
    'one of several',
    { anyOf: [{ type: 'object' }, { type: 'null' }] },
    'Payload<Record<string, unknown> | null>',
  ],
])('says what a call returns of %s', (_, output_schema, text) => {
  const file = declared([{ name: 'a', output_schema }])
  expect(file).toContain(`        result: ${text}\n`)
  expect(file.includes(`import type { Payload } from '@svc/sdk'\n`)).toBe(text.startsWith('Payload'))
})

it('says nothing of a result of which nothing is known', () => {
  expect(declared([{ name: 'a', output_schema: { title: 'A' } }, { name: 'b' }])).not.toContain('result')
})

it('names what a schema refers to, also where it refers to itself', () => {
  const tree = {
    type: 'object',
    properties: { kids: { type: 'array', items: { $ref: '#' } }, at: { $ref: '#/$defs/Place' } },
  }
  const file = declared([
    { name: 'a', input_schema: tree, output_schema: { ...tree, $defs: { Place: { type: 'string' } } } },
  ])
  expect(file).toContain(`type WeatherAArgs = {\n  at?: unknown\n  kids?: WeatherAArgs[] | undefined\n}\n\n`)
  expect(file).toContain(
    `type WeatherAResult = {\n  at?: WeatherAResultPlace\n  kids?: WeatherAResult[]\n}\n\n`,
  )
  expect(file).toContain(`type WeatherAResultPlace = string\n\n`)
  expect(file).toContain(`        args: WeatherAArgs\n        result: WeatherAResult\n`)
})

it('gives types that would have one name two', () => {
  const schema = {
    properties: { a: { $ref: '#/$defs/a_b' }, b: { $ref: '#/$defs/aB' } },
    $defs: { a_b: {}, aB: {} },
  }
  const file = declared([{ name: 'a', input_schema: schema }])
  expect(file).toMatch(/^type WeatherAArgsAB = unknown$/m)
  expect(file).toMatch(/^type WeatherAArgsAB2 = unknown$/m)
})

verifies(
  'types.same',
  'the order in which a plugin lists its tools and their members changes nothing',
  () => {
    const tools = [
      forecast,
      { name: 'a', input_schema: { properties: { x: {}, y: { type: 'string' } }, required: ['y'] } },
    ]
    const turned = [
      { name: 'a', input_schema: { required: ['y'], properties: { y: { type: 'string' }, x: {} } } },
      { ...forecast, parameters: [...forecast.parameters].reverse() },
    ]
    expect(declared(turned)).toBe(declared(tools))
  },
)

const deep = (levels: number): object => (levels === 0 ? {} : { items: deep(levels - 1) })
const plugins = (tool: object) => [
  { names: ['weather'], description: { name: 'x', tools: [{ name: 'big', parameters: [], ...tool }] } },
]

verifies.each('types.bounds')([
  [
    'a description of 1 MB',
    { description: 'x'.repeat(1_000_000) },
    'description has 1000000 characters, and the most is 4000',
  ],
  [
    'a schema of 1 MB',
    { input_schema: { title: 'x'.repeat(1_000_000) } },
    'input_schema has 1000012 bytes of JSON, and the most is 65536',
  ],
  [
    'a result of 1 MB',
    { output_schema: { title: 'x'.repeat(1_000_000) } },
    'output_schema has 1000012 bytes of JSON, and the most is 65536',
  ],
  ['a schema of 101 levels', { input_schema: deep(100) }, 'input_schema is nested deeper than 100 levels'],
  [
    'a schema of 5 000 levels',
    { output_schema: deep(5_000) },
    'output_schema is nested deeper than 100 levels',
  ],
])('%s is refused', (_, tool, what) => {
  expect(() => declareTools({ header, plugins: plugins(tool) })).toThrow(
    expect.objectContaining({
      kind: 'failed',
      message: `the tool "big" of the plugin "weather" cannot be typed: its ${what}`,
      hint: expect.any(String),
    }),
  )
})

verifies('types.bounds', 'more types than fit into one file are refused', () => {
  const properties = Object.fromEntries(
    Array.from({ length: 2_000 }, (_, at) => [`p${at}`, { type: 'string' }]),
  )
  const tools = Array.from({ length: 256 }, (_, at) => ({
    name: `t${at}`,
    parameters: [],
    input_schema: { properties },
  }))
  const description = { name: 'x', tools }
  expect(() => declareTools({ header, plugins: [{ names: ['weather'], description }] })).toThrow(
    /^the tool "t\d+" of the plugin "weather" cannot be typed: its types make the file longer than 2000000 characters$/,
  )
})

it('takes a schema of 100 levels, and 256 tools', () => {
  expect(declareTools({ header, plugins: plugins({ input_schema: deep(99) }) })).toContain(
    `unknown${'[]'.repeat(99)}`,
  )
  const many = Array.from({ length: 256 }, (_, at) => ({ name: `t${at}`, parameters: forecast.parameters }))
  expect(declared(many).match(/^ {6}t\d+: \{$/gm)).toHaveLength(256)
})

verifies('types.bounds', 'schemas of many references to one another are written in a few seconds', () => {
  const toNext = (at: number) => ({ $ref: `#/$defs/d${Math.min(at, 899)}` })
  const $defs = Object.fromEntries(
    Array.from({ length: 900 }, (_, at) => [`d${at}`, { anyOf: [toNext(at + 1), toNext(at + 2)] }]),
  )
  const tools = Array.from({ length: rounds(10, 2) }, (_, at) => ({
    name: `t${at}`,
    parameters: [],
    input_schema: { ...toNext(0), $defs },
  }))
  const from = process.cpuUsage()
  declareTools({ header, plugins: [{ names: ['weather'], description: { name: 'x', tools } }] })
  expect(process.cpuUsage(from).user).toBeLessThan(8_000_000)
})
