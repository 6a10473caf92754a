import { isDeepStrictEqual } from 'node:util'
import type { JSONValue, ToolSet } from 'ai'

/** What a model is given of the result of a tool. */
type ModelOutput = Awaited<ReturnType<NonNullable<ToolSet[string]['toModelOutput']>>>
type Part = Extract<ModelOutput, { type: 'content' }>['value'][number]
type Fields = Readonly<Record<string, unknown>>

/** Images of one result that a model is shown. */
const IMAGES_MAX = 4
/** The types of images that models see. */
const SEEN = /^image\/(?:png|jpeg|gif|webp)$/
/** A text in base64 is four characters for three bytes. */
const BASE64_SHARE = 0.75
const KB = 1_024

interface Media {
  /** In base64. */
  readonly data: string
  readonly mimeType: string
}

/**
 * The result of a tool as a model gets it (docs/decisions/0169-what-a-model-gets-of-a-tool.md): of blocks of MCP the text as
 * text, images as images where it sees them, of all else a line; what is in `structuredContent` once. Any other value is
 * JSON.
 */
export function modelOutput(output: unknown, vision: boolean): ModelOutput {
  const blocks = blocksOf(output)
  if (blocks.length === 0) return { type: 'json', value: output as JSONValue } // what a tool answers is JSON
  const { content: _, structuredContent: structured, ...more } = Object(output)
  const kept = structured === undefined ? blocks : blocks.filter((block) => !isCopy(block, structured))
  let images = 0
  const shown = kept.map((block): Part => {
    const media = mediaOf(block)
    const isSeen = vision && media !== undefined && SEEN.test(media.mimeType) && images < IMAGES_MAX
    if (!isSeen) return { type: 'text', text: lineOf(block) }
    images += 1
    return { type: 'file', mediaType: media.mimeType, data: { type: 'data', data: media.data } }
  })
  const rest = [structured, Object.keys(more).length > 0 ? more : undefined]
  const parts: Part[] = [
    ...shown,
    ...rest.flatMap((one) =>
      one === undefined ? [] : [{ type: 'text', text: JSON.stringify(one) } as const],
    ),
  ]
  if (images > 0) return { type: 'content', value: parts }
  return { type: 'text', value: parts.map((part) => (part.type === 'text' ? part.text : '')).join('\n') }
}

/** The result of a tool as it is kept: a sentence in the place of each image, sound or file. */
export const withoutMedia = (output: unknown): unknown =>
  blocksOf(output).some(mediaOf)
    ? {
        ...Object(output),
        content: blocksOf(output).map((block) =>
          mediaOf(block) ? { type: 'text', text: lineOf(block) } : block,
        ),
      }
    : output

/** The blocks of a result, as tools of MCP have them; none where one of them is something else. */
function blocksOf(output: unknown): readonly Fields[] {
  const content: unknown = Object(output).content
  return Array.isArray(content) && content.every((block) => typeof Object(block).type === 'string')
    ? content
    : []
}

/** The bytes of an image, a sound, or a file that is not text. */
function mediaOf({ type, data, mimeType, resource }: Fields): Media | undefined {
  const { blob, mimeType: held } = Object(type === 'resource' ? resource : undefined)
  if (typeof blob === 'string') return { data: blob, mimeType: typeof held === 'string' ? held : 'a file' }
  const isMedia = (type === 'image' || type === 'audio') && typeof data === 'string'
  return isMedia && typeof mimeType === 'string' ? { data, mimeType } : undefined
}

/** A block in words. */
function lineOf(block: Fields): string {
  const { type, text, resource, uri, name, description } = block
  const media = mediaOf(block)
  if (media) return `(${media.mimeType}, ${sizeOf(media.data)}, not shown)`
  if (type === 'text' && typeof text === 'string') return text
  const { text: held, uri: place } = Object(type === 'resource' ? resource : undefined)
  if (typeof held === 'string') return `${place}:\n${held}`
  if (type !== 'resource_link') return JSON.stringify(block)
  return [name, uri, description].filter((part) => typeof part === 'string' && part !== '').join(' · ')
}

function sizeOf(base64: string): string {
  const padding = base64.endsWith('==') ? 2 : base64.endsWith('=') ? 1 : 0
  const bytes = Math.floor((base64.length - padding) * BASE64_SHARE)
  return bytes < KB ? `${bytes} bytes` : `${Math.round(bytes / KB)} KB`
}

/** Whether a text is a value written as JSON, which a server sends for clients that read no `structuredContent`. */
function isCopy({ type, text }: Fields, value: unknown): boolean {
  if (type !== 'text' || typeof text !== 'string') return false
  try {
    return isDeepStrictEqual(JSON.parse(text), value)
  } catch {
    return false
  }
}
