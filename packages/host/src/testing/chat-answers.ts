import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import type { LanguageModelV4CallOptions } from '@ai-sdk/provider'
import { expect } from 'vitest'
import { chatReader } from '../models/providers/chat/chat-reader.ts'
import { failureOf } from '../models/providers/failure.ts'
import { type ModelPart, type PartReader, readerOf } from '../models/providers/part-reader.ts'

const prompt: LanguageModelV4CallOptions['prompt'] = [
  { role: 'user', content: [{ type: 'text', text: 'hi' }] },
]
const NAME = 'openai-compatible'

/** What the guard sees of an answer: it reads to the first failure, and knows that by its reason alone. */
async function seen(reader: PartReader) {
  const parts: unknown[] = []
  try {
    for (let read = await reader.read(); read !== null; read = await reader.read())
      for (const part of read) {
        if (part.type === 'error') return { parts, failed: failureOf('m', part.error).reason }
        parts.push(named(part))
      }
    return { parts, failed: null }
  } catch (error) {
    return { parts, failed: failureOf('m', error).reason }
  }
}

/** Ids that had to be made up are drawn. */
const named = (part: ModelPart): unknown =>
  JSON.parse(
    JSON.stringify(part).replace(
      /"(id|toolCallId)":"(?!call_|gen|txt|reas)\w{16}(-\d+)?"/g,
      '"$1":"made up"',
    ),
  )

/** What the server answers next. */
const next: { pieces: readonly Uint8Array[] } = { pieces: [] }
const model = createOpenAICompatible({
  name: NAME,
  baseURL: 'http://model.test/v1',
  fetch: async () => new Response(ReadableStream.from(next.pieces)),
}).chatModel('m')

async function byProvider(pieces: readonly Uint8Array[]) {
  next.pieces = pieces
  return seen(readerOf((await model.doStream({ prompt })).stream))
}

/** What the reader of the host makes of an answer. */
export function byReader(pieces: readonly Uint8Array[]) {
  const left = [...pieces]
  return seen(chatReader({ read: async () => left.shift() ?? null, cancel() {} }, NAME, []))
}

/** Both read the same; where an answer breaks in the middle of an event, the provider may lose what came of its beginning. */
export async function expectSame(pieces: readonly Uint8Array[]) {
  const [theirs, ours] = [await byProvider(pieces), await byReader(pieces)]
  expect(ours.failed).toBe(theirs.failed)
  expect(theirs.failed === null ? ours.parts : ours.parts.slice(0, theirs.parts.length)).toEqual(theirs.parts)
}

/** Cuts a text into pieces, at shares of its bytes. */
export function cut(text: string, shares: readonly number[]): Uint8Array[] {
  const bytes = new TextEncoder().encode(text)
  const places = [...new Set(shares.map((share) => Math.floor(share * bytes.length)))].sort((a, b) => a - b)
  return [0, ...places].map((from, at) => bytes.slice(from, places[at] ?? bytes.length))
}

/** What chunks tell of their answer. */
export const about = { id: 'gen-1', created: 1_700_000_000, model: 'm-1' }
/** The events of an answer, as a stream. */
export const events = (...data: unknown[]) =>
  data.map((one) => `data: ${typeof one === 'string' ? one : JSON.stringify(one)}\n\n`).join('')
/** A chunk of an answer with this delta. */
export const said = (delta: unknown, finish_reason: unknown = null) => ({
  ...about,
  choices: [{ index: 0, delta, finish_reason }],
})
