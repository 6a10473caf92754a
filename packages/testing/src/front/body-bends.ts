import type { OutgoingHttpHeaders } from 'node:http'
import { createGzip } from 'node:zlib'
import type { BendTable } from './bend.ts'
import { broken, held, inPieces, replaced } from './bodies.ts'

const isEvents = (headers: OutgoingHttpHeaders) =>
  String(headers['content-type']).startsWith('text/event-stream')
const isHtml = (headers: OutgoingHttpHeaders) => String(headers['content-type']).startsWith('text/html')
/** Gzip that gives nothing out before it has enough, but at the end. */
const gzip = (headers: OutgoingHttpHeaders) => {
  if (headers['content-encoding']) return null
  headers['content-encoding'] = 'gzip'
  delete headers['content-length']
  return createGzip()
}

/** What answers of the host go through. */
export const bodyBends = {
  compresses: {
    opens: 'works',
    runs: 'works',
    does: 'Compresses what does not forbid it, as `compression` of Express.',
    body: (headers) => (/no-transform/.test(String(headers['cache-control'])) ? null : gzip(headers)),
  },
  compresses_all: {
    opens: 'works',
    runs: 'works',
    does: 'Compresses everything, event streams too.',
    body: gzip,
  },
  holds_events: {
    opens: 'works',
    runs: 'works',
    does: 'Holds each event stream back to its end.',
    body: (headers) => (isEvents(headers) ? held() : null),
  },
  buffers_events: {
    opens: 'works',
    runs: 'works',
    does: 'Passes event streams on in pieces of 8 KiB, as proxies with a buffer do.',
    body: (headers) => (isEvents(headers) ? held(8_192) : null),
  },
  cuts_events: {
    opens: 'works',
    runs: 'works',
    does: 'Ends each event stream after 700 ms, as gateways with a short time limit do.',
    body: (headers) => (isEvents(headers) ? broken(700) : null),
  },
  tiny_pieces: {
    opens: 'works',
    runs: 'works',
    does: 'Passes answers on in pieces of 7 bytes.',
    body: (headers) => (isHtml(headers) || isEvents(headers) ? inPieces(7) : null),
  },
  injects_script: {
    opens: 'works',
    does: 'Puts a script of its own into each head, as analytics of a CDN do.',
    body: (headers) =>
      isHtml(headers) ? replaced(/<head>|<title>/, '<script>globalThis.injected = 1</script>$&') : null,
  },
  injects_meta: {
    opens: 'load_failed',
    does: 'Puts a policy as `<meta>` before all else of a document.',
    on: /\/bundles\//,
    body: (headers) =>
      isHtml(headers)
        ? replaced(/^/, `<meta http-equiv="content-security-policy" content="script-src 'self'">`)
        : null,
  },
} as const satisfies BendTable
