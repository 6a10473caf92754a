import type { ServerResponse } from 'node:http'
import type { EventStreams, EventsRequest } from './event-streams.ts'
import { COMMENT, SSE_HEADERS, UPGRADES } from './sse.ts'
import type { Connection, ConnectionEvents } from './stream-writer.ts'

/** What may wait inside the body of a `Response` before its reader holds the writer back. */
const HIGH_WATER_BYTES = 65_536

/** Responds to a `node:http` request with the event stream of `request`. */
export function nodeEventStream(streams: EventStreams, request: EventsRequest, res: ServerResponse): void {
  // The end of the connection ends the stream: without chunk frames a write is one piece instead of four.
  res.removeHeader('transfer-encoding')
  res.writeHead(200, SSE_HEADERS)
  res.write(UPGRADES)
  const events = streams.open(request, new NodeConnection(res))
  const onClose = () => events.onClose()
  res.on('drain', () => events.onDrain())
  res.on('close', onClose)
  // A broken connection also closes; the listener only keeps the error from ending the process.
  res.on('error', onClose)
}

/** A class, because a host has one for each page that is open: its methods are made once. */
class NodeConnection implements Connection {
  readonly #res: ServerResponse

  constructor(res: ServerResponse) {
    this.#res = res
  }

  get waiting(): number {
    return this.#res.writableLength
  }

  write(bytes: Uint8Array): boolean {
    return this.#res.write(bytes)
  }

  end(): void {
    this.#res.end()
  }

  destroy(): void {
    this.#res.destroy()
  }
}

/**
 * Responds to a `Request` with the event stream of `request`; `signal` is the request's own, and `upgrades` says
 * whether what serves it takes upgrades too.
 */
export function fetchEventStream(
  streams: EventStreams,
  request: EventsRequest,
  { signal, upgrades = false }: { readonly signal?: AbortSignal; readonly upgrades?: boolean } = {},
): Response {
  const open = (connection: Connection) => {
    connection.write(new TextEncoder().encode(upgrades ? UPGRADES : COMMENT))
    return streams.open(request, connection)
  }
  return streamResponse(open, { ...(signal && { signal }) })
}

/**
 * Makes a response of server-sent events that `open` writes. The end of `signal` ends it. `cut` destroys the
 * connection of a stalled reader; without it the body fails.
 */
export function streamResponse(
  open: (connection: Connection) => ConnectionEvents,
  { signal, cut }: { readonly signal?: AbortSignal; readonly cut?: () => void },
): Response {
  let events: ConnectionEvents | undefined
  let finish: (() => void) | undefined
  // An end, no error: what serves the response would log one for each page that leaves.
  const onAbort = () => {
    events?.onClose()
    finish?.()
  }
  const leave = () => signal?.removeEventListener('abort', onAbort)
  const body = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        const room = () => controller.desiredSize ?? 0
        finish = () => controller.close()
        signal?.addEventListener('abort', onAbort, { once: true })
        events = open({
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
          destroy(error) {
            leave()
            if (cut && error === undefined) cut()
            else controller.error(error ?? new Error('the client read nothing for too long'))
          },
        })
        if (signal?.aborted) onAbort()
      },
      pull: () => events?.onDrain(),
      cancel() {
        leave()
        events?.onClose()
      },
    },
    new ByteLengthQueuingStrategy({ highWaterMark: HIGH_WATER_BYTES }),
  )
  return new Response(body, { headers: SSE_HEADERS })
}
