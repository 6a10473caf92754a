import type { EmbeddingModelV4CallOptions, EmbeddingModelV4Result } from '@ai-sdk/provider'
import { ModelFailure } from '../failure.ts'
import { addressOf } from '../failure-of.ts'
import { fieldsOf, listOf, parsed } from '../members.ts'
import type { OpenaiServer } from '../openai.ts'
import { serverErrorIn } from '../server-error.ts'
import { readWhole } from './byte-reader.ts'
import { openEndpoint } from './endpoint.ts'
import { refusalError } from './refused.ts'

/** Opens an embedding model of a server. Rejects as a chat model does. */
export function openVectors(server: OpenaiServer, modelId: string) {
  const endpoint = openEndpoint(server, '/embeddings')
  return async ({ values, abortSignal }: EmbeddingModelV4CallOptions): Promise<EmbeddingModelV4Result> => {
    const bytes = await endpoint.post({
      headers: {},
      body: JSON.stringify({ model: modelId, input: values }),
      signal: abortSignal,
      model: modelId,
    })
    const text = await readWhole(bytes)
    const answer = parsed(text)
    if (serverErrorIn(answer)) throw refusalError({ url: endpoint.url(), secrets: endpoint.secrets }, text)
    const embeddings = vectorsIn(answer, values.length)
    if (embeddings === null)
      throw new ModelFailure(modelId, 'malformed', {}, 'nothing', { address: addressOf(endpoint.url().href) })
    const { prompt_tokens, total_tokens } = fieldsOf(fieldsOf(answer).usage)
    const tokens = Number(prompt_tokens ?? total_tokens ?? Number.NaN)
    return { embeddings, warnings: [], ...(tokens >= 0 && { usage: { tokens } }) }
  }
}

/** One vector for each of so many texts, in the order of the texts; `null`: there are others. */
export function vectorsIn(answer: unknown, count: number): number[][] | null {
  const { data = answer, embeddings = data } = fieldsOf(answer)
  const items = listOf(embeddings).map((item) => (Array.isArray(item) ? { embedding: item } : fieldsOf(item)))
  if (items.length !== count) return null
  const isIndexed = items.some(({ index }) => index != null)
  const placed = new Map<unknown, number[]>()
  for (const [at, { index, embedding }] of items.entries()) {
    const vector = vectorOf(embedding)
    if (vector === null) return null
    placed.set(isIndexed ? Number(index) : at, vector)
  }
  const vectors = Array.from({ length: count }, (_, at) => placed.get(at))
  return vectors.every((vector) => vector !== undefined) ? vectors : null
}

const FLOAT_BYTES = 4

/** A vector as a list of numbers, or as base64 of its floats. */
function vectorOf(embedding: unknown): number[] | null {
  const list = listOf(embedding)
  // llama.cpp's own has a list of them for each text.
  if (list.length === 1 && Array.isArray(list[0])) return vectorOf(list[0])
  const numbers = typeof embedding === 'string' ? floatsOf(embedding) : list
  return numbers.length > 0 && numbers.every((one) => Number.isFinite(one)) ? (numbers as number[]) : null
}

function floatsOf(base64: string): number[] {
  const bytes = Buffer.from(base64, 'base64')
  if (bytes.length % FLOAT_BYTES !== 0) return []
  return Array.from({ length: bytes.length / FLOAT_BYTES }, (_, at) => bytes.readFloatLE(at * FLOAT_BYTES))
}
