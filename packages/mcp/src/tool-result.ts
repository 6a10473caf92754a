import { isDeepStrictEqual } from 'node:util'
import { RpcError } from '@svc/plugin'
import { fieldsOf } from './tool-list.ts'

/** What a tool of an MCP server gives: the payload of the call. */
export interface McpOutput {
  /** Its blocks as MCP has them: `{type: 'text', text}`, `{type: 'image', data, mimeType}`, `resource` … */
  readonly content: readonly unknown[]
  /** The value that the tool describes by its output schema, where it gives one. */
  readonly structuredContent?: unknown
}

/**
 * Reads the result of `tools/call`; one that has neither `content` nor `structuredContent` is the value itself. Throws what
 * the tool says of its failure, or an `RpcError` where it is no result.
 */
export function outputOf(result: unknown): McpOutput {
  const fields = fieldsOf(result)
  const { content: blocks, structuredContent, isError, _meta, ...others } = fields ?? {}
  const content = blocks ?? []
  if (!fields || !Array.isArray(content))
    throw new RpcError('the MCP server answered tools/call without a list of content')
  const isBare = content !== blocks && structuredContent === undefined && Object.keys(others).length > 0
  const structured = isBare ? others : structuredContent
  if (isError === true) throw new Error(wordsOf(content, structured))
  return { content, ...(structured !== undefined && { structuredContent: structured }) }
}

/** What a failure says: its texts, one under the other, and what there is beside them. */
function wordsOf(content: readonly unknown[], structured: unknown): string {
  const blocks = content.map((block) => fieldsOf(block) ?? {})
  const texts = blocks.map(textIn).filter((text) => text !== undefined)
  const words = blocks.map(wordOf).filter((word) => word !== '')
  const isTold = structured === undefined || texts.some((text) => isDeepStrictEqual(jsonIn(text), structured))
  const told = isTold ? words : [...words, JSON.stringify(structured)]
  if (texts.length > 0) return told.join('\n')
  return ['the tool reported a failure without a text', ...told].join(': ')
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The text of a block, or of the resource in it. */
const textIn = ({ type, text, resource }: Readonly<Record<string, unknown>>): string | undefined => {
  const held = type === 'resource' ? fieldsOf(resource)?.text : type === 'text' && text
  return typeof held === 'string' ? held : undefined
}

function wordOf(block: Readonly<Record<string, unknown>>): string {
  const { type, mimeType, resource, uri } = block
  const text = textIn(block)
  if (text !== undefined) return text
  if (type === 'resource' || type === 'resource_link') return `(resource ${uri ?? fieldsOf(resource)?.uri})`
  return `(${mimeType ?? type}, not shown)`
}
