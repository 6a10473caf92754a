import { APICallError } from '@ai-sdk/provider'
import { ModelFailure } from '../failure.ts'
import type { ByteReader } from './chat-reader.ts'

/** One request of a chat model. */
export interface ChatRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly signal: AbortSignal | undefined
  /** The model's name, and how many bytes its answer may have. */
  readonly model: string
  readonly maxBytes: number
}

/**
 * Posts a request. Rejects with an `APICallError` that knows the status where the server refuses it; what it says of
 * that is not read. The answer breaks off past `maxBytes`, with a `ModelFailure`.
 */
export async function postChat({
  url,
  headers,
  body,
  signal,
  model,
  maxBytes,
}: ChatRequest): Promise<ByteReader> {
  const response = await fetch(url, { method: 'POST', headers, body, ...(signal && { signal }) })
  if (!response.ok) {
    await response.body?.cancel()
    throw new APICallError({ message: 'refused', url, requestBodyValues: {}, statusCode: response.status })
  }
  if (!response.body) throw new Error('the answer has no body')
  const reader = response.body.getReader()
  let size = 0
  return {
    async read() {
      const { done, value } = await reader.read()
      if (done) return null
      size += value.byteLength
      if (size > maxBytes) {
        cancel()
        throw new ModelFailure(model, 'oversize', { max: maxBytes, retriable: false })
      }
      return value
    },
    cancel,
  }
  function cancel(): void {
    void reader.cancel().catch(() => undefined)
  }
}
