import fc from 'fast-check'
import { expect, it } from 'vitest'
import { declareTools } from '../packages/cli/src/types/declare-tools.ts'
import { verifies } from '../packages/conformance/src/verifies.ts'
import { openEditor } from './testing/types.ts'

/** Texts that would end a comment, a string or a line, or that a reader does not see. */
const hostileTexts = [
  '*/ evil: true /*',
  "'; evil: '",
  '`$',
  'a\nevil: true',
  'a\r\u2028\u2029evil: true',
  '\\',
  '\u202e\u0000\ud800',
  '/// <reference path="/etc/passwd" />',
  '@ts-nocheck',
  '<script>',
  '',
  '__proto__',
  'constructor',
  'class',
  'new',
  'readonly',
  '[key: string]',
  'größe',
  '東京 🌍',
  '-1',
  '1e5',
]

interface SaidTool {
  readonly name: string
  readonly description?: string
  readonly input_schema?: Readonly<Record<string, unknown>>
  readonly output_schema?: Readonly<Record<string, unknown>>
}

/** The file for a plugin with these tools. */
const fileOf = (plugin: string, tools: readonly SaidTool[]): string =>
  declareTools({
    header: ['Written by `svc types`.'],
    plugins: [
      {
        names: [plugin],
        description: { name: 'x', tools: tools.map((tool) => ({ parameters: [], ...tool })) },
      },
    ],
    open: [`${plugin} open`],
  })

/** What the compiler says of a file, and what then is known of the tools. */
function compile(file: string, uses = '') {
  const { errors, source } = openEditor('sdk', `${file}${uses}`)
  const statements = source.statements.length
  return {
    errors: [...errors].flatMap(([line, texts]) => texts.map((text) => `${line}: ${text}`)),
    statements,
  }
}

const schemaOf = (text: string) => ({
  type: 'object',
  properties: Object.fromEntries([
    [text, { type: 'string', description: text, default: text }],
    ['values', { enum: [text, 1, null] }],
    [
      'again',
      {
        $ref: `#/$defs/${encodeURIComponent(text.toWellFormed().replaceAll('~', '~0').replaceAll('/', '~1'))}`,
      },
    ],
  ]),
  required: [text],
  $defs: Object.fromEntries([[text, { type: 'object', description: text }]]),
})

verifies('types.hostile', 'texts of a plugin end no comment, string or line of the file', () => {
  for (const text of hostileTexts) {
    const tools = [
      { name: text || 'x', description: text, input_schema: schemaOf(text), output_schema: schemaOf(text) },
    ]
    const file = fileOf(text || 'x', tools)
    const { errors, statements } = compile(file)
    const aliases = file.match(/^type /gm)?.length ?? 0
    // The import or export, the aliases, and the declaration of the module: nothing else came in.
    expect([errors, statements], JSON.stringify(text)).toEqual([[], 2 + aliases])
    expect(file).toBe(file.toWellFormed())
    expect(file.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u)
  }
})

const pointers = ['#', '#/$defs/a', '#/$defs/b', '#/properties/a', '#/$defs/gone', 'https://site.org/a']
const names = fc.constantFrom('a', 'b', 'c d', ...hostileTexts)
const { schema } = fc.letrec((tie) => {
  const some = fc.array(tie('schema'), { maxLength: 3 })
  const members = fc.dictionary(names, tie('schema'), { maxKeys: 3 })
  /** Each key may be there or not, but `key`. */
  const having = (keys: Record<string, fc.Arbitrary<unknown>>, key: string) =>
    fc.record<Record<string, unknown>>(
      { ...keys, description: names, default: fc.jsonValue({ maxDepth: 1 }), nullable: fc.boolean() },
      { requiredKeys: [key] },
    )
  return {
    schema: fc.oneof(
      { maxDepth: 4, withCrossShrink: true },
      fc.constantFrom<unknown>(true, false, {}, 7, null, 'text', []),
      fc.record({
        type: fc.constantFrom<unknown>('string', 'integer', ['number', 'null', 'object'], [], 'any', 7),
      }),
      having({ enum: fc.array(fc.constantFrom<unknown>('a', 'b*/', 1, -0.5, null, true, {}, [])) }, 'enum'),
      having({ const: fc.constantFrom<unknown>('a', null, { a: 1 }), type: fc.constant('string') }, 'const'),
      having({ $ref: fc.constantFrom(...pointers), properties: members }, '$ref'),
      having(
        {
          type: fc.constant('object'),
          properties: members,
          required: fc.array(names, { maxLength: 2 }),
          additionalProperties: tie('schema'),
          patternProperties: members,
          anyOf: some,
        },
        'properties',
      ),
      having(
        {
          type: fc.constant('array'),
          items: fc.oneof(tie('schema'), some),
          prefixItems: some,
          minItems: fc.constantFrom<unknown>(0, 1, 2, 'x'),
          maxItems: fc.constantFrom<unknown>(1, 2, 1.5),
        },
        'items',
      ),
      having({ allOf: some, anyOf: some, oneOf: some, type: fc.constant('object') }, 'anyOf'),
    ),
  }
})
/** A schema of an object, which others in it refer to. */
const whole = fc.record({
  type: fc.constant('object'),
  properties: fc.dictionary(names, schema, { minKeys: 3, maxKeys: 5 }),
  $defs: fc.record({ a: schema, b: schema }),
})

verifies('types.hostile', 'any schema is written as types that the compiler takes', () => {
  const tools = fc.array(fc.tuple(whole, schema), { minLength: 10, maxLength: 10 })
  fc.assert(
    fc.property(tools, (pairs) => {
      const said = pairs.map(
        ([input, output], at): SaidTool => ({
          name: `t${at}`,
          input_schema: input,
          output_schema: { ...(output as object) },
        }),
      )
      const file = fileOf('x', said)
      expect(compile(file).errors, file).toEqual([])
      expect(fileOf('x', said)).toBe(file)
    }),
    { numRuns: 10, endOnFailure: true },
  )
})

it('declares what a call then takes and returns', () => {
  const tree = {
    type: 'object',
    properties: { name: { type: 'string' }, kids: { type: 'array', items: { $ref: '#' } } },
    required: ['name'],
  }
  const file = fileOf('trees', [
    { name: 'grow', input_schema: tree, output_schema: { type: 'array', items: tree } },
  ])
  const use = (line: string) =>
    compile(file, `import { svc } from '@svc/sdk'\nconst { invoke } = svc.tools\n${line}`).errors
  const good = `const { value } = await invoke({ tool_id: 'trees.grow', args: { name: 'a', kids: [{ name: 'b' }] } })
value[0]?.name.trim()`
  expect(use(good)).toEqual([])
  expect(use(`await invoke({ tool_id: 'trees.grow', args: { name: 'a', kids: [{ name: 7 }] } })`)).toEqual([
    expect.stringContaining(`Type 'number' is not assignable to type 'string'.`),
  ])
  expect(use(`await invoke({ tool_id: 'trees open', method: 'anything', args: { a: 1 } })`)).toEqual([])
})
