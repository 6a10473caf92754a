import type { ServerResponse } from 'node:http'
import { SSE_HEADERS, UPGRADES } from './sse.ts'
import type { EventStreams, EventsRequest } from './streams.ts'

/** Answers a `node:http` request with the event stream of `request`. */
export function nodeEventStream(streams: EventStreams, request: EventsRequest, res: ServerResponse): void {
  for (const [name, value] of Object.entries(SSE_HEADERS)) res.setHeader(name, value)
  // The end of the connection ends the stream: without chunk frames a write is one piece instead of four.
  res.removeHeader('transfer-encoding')
  res.writeHead(200)
  res.write(UPGRADES)
  const stream = streams.open(request, {
    write: (bytes) => res.write(bytes),
    get waiting() {
      return res.writableLength
    },
    end: () => void res.end(),
    destroy: () => void res.destroy(),
  })
  res.on('drain', stream.drained)
  res.once('close', stream.gone)
  // A broken connection also closes; the listener only keeps the error from ending the process.
  res.on('error', stream.gone)
}
