import type { Limits } from '@svc/contract'
import { CLOSING_RETRY_MS } from '@svc/contract/browser'

/**
 * The headers of an event stream: `x-accel-buffering` keeps nginx from holding messages back, `no-transform` (RFC 9111)
 * compressing middleware.
 */
export const SSE_HEADERS = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
} as const

/** A comment that keeps the connection alive. */
export const COMMENT = ':\n\n'

/** Tells a browser how long to wait before it connects again. */
export const retry = (limits: Limits): string => `retry: ${limits.EVENT_RETRY_MS}\n\n`

/** The same to a page whose host closes. */
export const retryAtOnce = `retry: ${CLOSING_RETRY_MS}\n\n`

/** Tells the page that calls may come over a socket: what serves this stream takes upgrades too. */
export const UPGRADES = 'event: calls\ndata: {}\n\n'

/** One event; `item` is JSON and so a single line. */
export const message = (cursor: string, item: string): string => `id: ${cursor}\ndata: ${item}\n\n`

/** Something may be missing: the page reads again what it shows, and continues from this cursor. */
export const reset = (cursor: string): string => `event: reset\nid: ${cursor}\ndata: {}\n\n`

/** Moves the reader's cursor without an event, so that what is filtered out does not make it too old. */
export const moved = (cursor: string): string => `event: cursor\nid: ${cursor}\ndata: {}\n\n`

/**
 * The text before and after the payload of a run's frames, made once for many. A frame has no cursor: the page counts the
 * frames of each stream.
 */
export const frameHead = (json: string): string => `data: ${json}`
/** The rest of the JSON, and the empty line that ends the event. */
export const frameTail = (json: string): string => `${json}\n\n`

/** Tells the page from where on the frames of a stream come: what it is to name when it connects again. */
export const stream = (windowUuid: string, streamId: string, after: number): string =>
  `event: stream\ndata: ${JSON.stringify({ window_uuid: windowUuid, stream_id: streamId, seq: after })}\n\n`
