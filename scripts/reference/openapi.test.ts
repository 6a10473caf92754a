import { Validator } from '@seriousme/openapi-schema-validator'
import { describe, expect, it } from 'vitest'
import { methodRows } from '../../packages/contract/src/index.ts'
import { type RouteRow, routeRows } from '../../packages/contract/src/routes/index.ts'
import { openapi } from './openapi.ts'
import { sharedSchemas, withReferences } from './shared-schemas.ts'

interface Operation {
  readonly operationId: string
  readonly tags: readonly string[]
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly required: boolean }[]
  readonly responses: Readonly<Record<string, { readonly description: string }>>
  readonly security: readonly Readonly<Record<string, readonly string[]>>[]
  readonly 'x-svc-methods'?: Readonly<Record<string, unknown>>
}

const document = JSON.parse(JSON.stringify(openapi())) as ReturnType<typeof openapi> & {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
}
const operations = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, one]) => ({ path, method, ...one })),
)

/** Every `$ref` under a value. */
function referencesIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, part]) =>
    key === '$ref' && typeof part === 'string' ? [part] : referencesIn(part),
  )
}

const at = (pointer: string): unknown =>
  pointer
    .slice(2)
    .split('/')
    .reduce<unknown>((value, key) => (value as Record<string, unknown> | undefined)?.[key], document)

const examples = routeRows().flatMap(([name, row]: [string, RouteRow]) =>
  row.example ? [{ name, ...row, example: row.example }] : [],
)

it.each(examples)('the example of $name is what its row takes and answers', ({ body, answer, example }) => {
  if (example.body !== undefined) expect(body?.parse(example.body)).toEqual(example.body)
  if (example.answer === undefined || answer === null || typeof answer === 'string') return
  expect(answer.parse(example.answer)).toEqual(example.answer)
})

describe('the document', () => {
  it('keeps the rules of OpenAPI 3.1', async () => {
    const validator = new Validator()
    const { valid, errors } = await validator.validate(structuredClone(document))
    expect({ valid, errors, version: validator.version }).toEqual({ valid: true, version: '3.1' })
  })

  it('resolves every reference within itself', () => {
    const references = [...new Set(referencesIn(document))]
    expect(references.length).toBeGreaterThan(50)
    expect(references.filter((one) => !one.startsWith('#/') || at(one) === undefined)).toEqual([])
  })

  it('names components as OpenAPI lets them be named', () => {
    const names = Object.values(document.components).flatMap((part) => Object.keys(part))
    expect(names.filter((name) => !/^[\w.-]+$/.test(name))).toEqual([])
  })

  it('has every operation under a name of its own', () => {
    const ids = operations.map(({ operationId }) => operationId)
    expect(ids.filter((id, place) => ids.indexOf(id) !== place)).toEqual([])
  })

  it('has no two paths that only the names of their parameters tell apart', () => {
    const shapes = Object.keys(document.paths).map((path) => path.replaceAll(/\{\w+\}/g, '{}'))
    expect(new Set(shapes).size).toBe(shapes.length)
  })

  it('lists each offered method with its schemas', () => {
    const listed = operations.find(({ operationId }) => operationId === 'calls.rpc')?.['x-svc-methods']
    const offered = methodRows().filter(([, , { stub }]) => !stub)
    expect(Object.keys(listed ?? {})).toEqual(offered.map(([ns, name]) => `${ns}.${name}`))
  })
})

describe.each(operations)('$method $path', ({ path, parameters = [], responses, security, tags }) => {
  it('declares the parameters of its path, required, and each once', () => {
    const inPath = Array.from(path.matchAll(/\{(\w+)\}/g), ([, name]) => name)
    const declared = parameters.filter((one) => one.in === 'path')
    expect(declared.map(({ name }) => name).sort()).toEqual(inPath.sort())
    expect(declared.every(({ required }) => required)).toBe(true)
    expect(new Set(parameters.map((one) => `${one.in} ${one.name}`)).size).toBe(parameters.length)
  })

  it('answers a success, and says of each status what it means', () => {
    const statuses = Object.keys(responses)
    expect(statuses.filter((status) => /^[12]\d\d$/.test(status))).toHaveLength(1)
    expect(statuses.filter((status) => !/^[1-5]\d\d$/.test(status))).toEqual([])
    expect(Object.values(responses).every(({ description }) => description !== '')).toBe(true)
  })

  it('names schemes and tags that are there', () => {
    const schemes = security.flatMap((all) => Object.keys(all))
    expect(schemes.filter((name) => !Object.hasOwn(document.components.securitySchemes, name))).toEqual([])
    expect(tags.filter((name) => !document.tags.some((tag) => tag.name === name))).toEqual([])
  })
})

describe('withReferences', () => {
  it.each([
    ['a schema', sharedSchemas.Grants, { $ref: '#/components/schemas/Grants' }],
    ['one inside', { items: [sharedSchemas.Grants] }, { items: [{ $ref: '#/components/schemas/Grants' }] }],
    ['anything else', { type: 'object', items: [1, null] }, { type: 'object', items: [1, null] }],
  ])('%s', (_name, value, expected) => {
    expect(withReferences(value)).toEqual(expected)
  })
})
