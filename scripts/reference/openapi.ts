import { type MethodRow, methodRows } from '../../packages/contract/src/index.ts'
import { type RouteRow, routeRows } from '../../packages/contract/src/routes/index.ts'
import { type JsonSchema, jsonSchema } from './json-schema.ts'
import { exampleOf, responsesOf } from './openapi-responses.ts'
import { failureSchemas, schemeOf, securitySchemes } from './openapi-shared.ts'
import { sharedSchemas, withReferences } from './shared-schemas.ts'

/** Where the methods of the RPC route stand, each with its arguments and its result. */
const METHODS = 'x-svc-methods'
const RPC = 'calls.rpc'

const DESCRIPTION = `What the host answers over HTTP. Methods travel on the route ${RPC}, whose ${METHODS} lists them. Every request's Host must be one that the host serves.`

const BASE_PATH =
  'What `createHost({ basePath })` says, such as /svc; empty for a host at the root of its origin.'

/** The document as an object: OpenAPI 3.1, made of the tables of routes, methods and errors. */
export function openapi() {
  const rows = routeRows()
  const tags = [...new Set(rows.map(([, { tag }]) => tag))]
  const paths = new Map<string, Record<string, unknown>>()
  for (const [name, row] of rows) {
    const at = paths.get(row.path) ?? {}
    at[row.method.toLowerCase()] = operation(name, row)
    if (row.head) at.head = operation(`${name}.head`, { ...row, answer: null })
    paths.set(row.path, at)
  }
  return {
    openapi: '3.1.1',
    info: { title: 'svc host', version: 'v1', description: DESCRIPTION, license },
    jsonSchemaDialect: 'https://json-schema.org/draft/2020-12/schema',
    servers: [{ url: '{basePath}/', variables: { basePath: { default: '', description: BASE_PATH } } }],
    tags: tags.map((name) => ({ name })),
    paths: withReferences(Object.fromEntries(paths)),
    components: {
      securitySchemes,
      schemas: { ...failureSchemas, ...sharedSchemas, ...(withReferences(methodSchemas()) as object) },
    },
  }
}

const license = { name: 'Apache-2.0', identifier: 'Apache-2.0' } as const

function operation(name: string, row: RouteRow) {
  const parameters = parametersOf(row)
  const body = bodyOf(row)
  return {
    operationId: name,
    tags: [row.tag],
    summary: row.summary,
    ...(parameters.length > 0 && { parameters }),
    ...(body && { requestBody: body }),
    responses: responsesOf(row),
    security: schemeOf(row.auth),
    ...(name === RPC && { [METHODS]: methodTable() }),
  }
}

function parametersOf({ params = {}, query, headers = {} }: RouteRow) {
  const text = { type: 'string' }
  const inPath = Object.entries(params).map(([name, description]) => ({
    name,
    in: 'path',
    required: true,
    description,
    schema: text,
  }))
  const { properties = {}, required = [] } = (query ? jsonSchema(query, 'input') : {}) as {
    properties?: Record<string, JsonSchema>
    required?: readonly string[]
  }
  const inQuery = Object.entries(properties).map(([name, { description, ...schema }]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    ...(description !== undefined && { description }),
    schema,
  }))
  const inHead = Object.entries(headers).map(([name, description]) => ({
    name,
    in: 'header',
    required: false,
    description,
    schema: text,
  }))
  return [...inPath, ...inQuery, ...inHead]
}

function bodyOf({ body, bodyTypes = [], example }: RouteRow) {
  if (!body && bodyTypes.length === 0) return undefined
  const content = {
    ...(body && { 'application/json': { schema: jsonSchema(body, 'input'), ...exampleOf(example?.body) } }),
    ...Object.fromEntries(bodyTypes.map((type) => [type, {}])),
  }
  return { required: true, content }
}

const schemaName = (ns: string, method: string, part: 'args' | 'result') => `${ns}.${method}.${part}`

function methodSchemas() {
  return Object.fromEntries(
    offered().flatMap(([ns, name, row]) => [
      [schemaName(ns, name, 'args'), jsonSchema(row.args, 'input')],
      [schemaName(ns, name, 'result'), jsonSchema(row.result, 'output')],
    ]),
  )
}

function methodTable() {
  const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })
  return Object.fromEntries(
    offered().map(([ns, name, { doc, access, slow = false }]) => [
      `${ns}.${name}`,
      {
        summary: doc,
        access,
        slow,
        args: ref(schemaName(ns, name, 'args')),
        result: ref(schemaName(ns, name, 'result')),
      },
    ]),
  )
}

const offered = (): [string, string, MethodRow][] => methodRows().filter(([, , { stub }]) => !stub)
