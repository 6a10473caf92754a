import type { IncomingMessage } from 'node:http'
import { pipeline, type Readable, type Transform } from 'node:stream'
import { constants, createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'

const flush = { flush: constants.Z_SYNC_FLUSH, finishFlush: constants.Z_SYNC_FLUSH }
const brotli = { flush: constants.BROTLI_OPERATION_FLUSH, finishFlush: constants.BROTLI_OPERATION_FLUSH }

/** What undoes a coding, event by event. */
const decoders: ReadonlyMap<string, () => Transform> = new Map<string, () => Transform>([
  ['gzip', () => createGunzip(flush)],
  ['x-gzip', () => createGunzip(flush)],
  ['deflate', () => createInflate(flush)],
  ['br', () => createBrotliDecompress(brotli)],
])

/** As many codings as `fetch` undoes. */
const CODINGS_MAX = 5

/** The body of a response without its codings: nobody asked for any, but some proxies encode all the same. */
export function decoded(response: IncomingMessage): Readable {
  const codings = (response.headers['content-encoding'] ?? '')
    .split(',')
    .map((one) => one.trim().toLowerCase())
  if (codings.length > CODINGS_MAX) return response.destroy(new Error('too many codings'))
  const transforms = codings.reverse().flatMap((coding) => decoders.get(coding)?.() ?? [])
  let body: Readable = response
  // Its reader learns of the error itself.
  for (const transform of transforms) body = pipeline(body, transform, () => {})
  return body
}
