import { RpcError } from '@svc/plugin'
import { fieldsOf } from './tool-list.ts'

/** What a tool of an MCP server gives: the payload of the call. */
export interface McpOutput {
  /** Its blocks as MCP has them: `{type: 'text', text}`, `{type: 'image', data, mimeType}`, `resource` … */
  readonly content: readonly unknown[]
  /** The value that the tool describes by its output schema, where it gives one. */
  readonly structuredContent?: unknown
}

/** Reads the result of `tools/call`. Throws what the tool says of its failure, or an `RpcError` where it is no result. */
export function outputOf(result: unknown): McpOutput {
  const fields = fieldsOf(result)
  const { content = [], structuredContent, isError } = fields ?? {}
  if (!fields || !Array.isArray(content))
    throw new RpcError('the MCP server answered tools/call without a list of content')
  if (isError === true) throw new Error(textOf(content) || 'the tool reported a failure without a text')
  return { content, ...(structuredContent !== undefined && { structuredContent }) }
}

/** The text blocks, one under the other. */
const textOf = (content: readonly unknown[]): string =>
  content
    .map((block) => fieldsOf(block))
    .flatMap((block) => (block?.type === 'text' && typeof block.text === 'string' ? block.text : []))
    .join('\n')
