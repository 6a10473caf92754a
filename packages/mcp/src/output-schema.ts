import type { ToolDescription } from '@svc/contract/stdio'

type Fields = Readonly<Record<string, unknown>>

/** Where a schema keeps those that others of it refer to. */
const SHARED = ['$defs', 'definitions'] as const
const INTO_SHARED = /^#\/(\$defs|definitions)\//

const blocks = {
  type: 'array',
  items: { type: 'object', properties: { type: { type: 'string' } }, required: ['type'] },
} as const

/**
 * The schema of the payload of a tool whose server says what its structured content is: that, with the blocks beside
 * it. What it refers to moves to the top, where references from inside it still lead; a schema that refers to itself
 * in another way is left out.
 */
export function payloadSchema(structured: Fields | undefined): ToolDescription['output_schema'] {
  if (!structured || !refs(structured).every((ref) => INTO_SHARED.test(ref))) return undefined
  const shared = SHARED.flatMap((key) => (Object.hasOwn(structured, key) ? [[key, structured[key]]] : []))
  const own = Object.entries(structured).filter(([key]) => !SHARED.some((one) => one === key))
  return {
    type: 'object',
    properties: { content: blocks, structuredContent: Object.fromEntries(own) },
    required: ['content', 'structuredContent'],
    ...Object.fromEntries(shared),
  }
}

/** In JSON text: inside of a string the quotes would be escaped. */
const REF = /"\$(?:ref|dynamicRef|recursiveRef)":"([^"]*)"/g

/** Every reference in a schema, whatever it is a part of. */
const refs = (schema: Fields): string[] =>
  [...JSON.stringify(schema).matchAll(REF)].map(([, ref = '']) => ref)
