import { ModelFailure } from './failure.ts'

/** `fetch` whose answers break off past `maxBytes`: the connection is closed, and no reader has to hold more. */
export const cappedFetch =
  (model: string, maxBytes: number): typeof fetch =>
  async (input, init) => {
    const response = await fetch(input, init)
    if (!response.body) return response
    let size = 0
    const counted = response.body.pipeThrough(
      new TransformStream<Uint8Array, Uint8Array>({
        transform(chunk, controller) {
          size += chunk.byteLength
          if (size > maxBytes)
            controller.error(new ModelFailure(model, 'oversize', { max: maxBytes, retriable: false }))
          else controller.enqueue(chunk)
        },
      }),
    )
    const { status, statusText, headers } = response
    return new Response(counted, { status, statusText, headers })
  }
