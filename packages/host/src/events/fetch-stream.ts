import type { Source } from './sink.ts'
import { SSE_HEADERS, UPGRADES } from './sse.ts'
import type { EventStreams, EventsRequest } from './streams.ts'

/** What may wait inside the stream before its reader holds the writer back. */
const HIGH_WATER_BYTES = 65_536

/**
 * Answers a `Request` with the event stream of `request`; `signal` is the request's own, and `upgrades` says whether
 * what serves it takes upgrades too.
 */
export function fetchEventStream(
  streams: EventStreams,
  request: EventsRequest,
  { signal, upgrades = false }: { readonly signal?: AbortSignal; readonly upgrades?: boolean } = {},
): Response {
  let stream: Source | undefined
  let finish: (() => void) | undefined
  // An end, no error: what serves the response would log one for each page that leaves.
  const onAbort = () => {
    stream?.gone()
    finish?.()
  }
  const leave = () => signal?.removeEventListener('abort', onAbort)
  const body = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        const room = () => controller.desiredSize ?? 0
        finish = () => controller.close()
        signal?.addEventListener('abort', onAbort, { once: true })
        if (upgrades) controller.enqueue(new TextEncoder().encode(UPGRADES))
        stream = streams.open(request, {
          write(bytes) {
            // Readers of one user share bytes, and who reads a stream may transfer what it gets.
            controller.enqueue(new Uint8Array(bytes))
            return room() > 0
          },
          get waiting() {
            return HIGH_WATER_BYTES - room()
          },
          end() {
            leave()
            controller.close()
          },
          destroy() {
            leave()
            controller.error(new Error('the reader took nothing for too long'))
          },
        })
        if (signal?.aborted) onAbort()
      },
      pull: () => stream?.drained(),
      cancel() {
        leave()
        stream?.gone()
      },
    },
    new ByteLengthQueuingStrategy({ highWaterMark: HIGH_WATER_BYTES }),
  )
  return new Response(body, { headers: SSE_HEADERS })
}
