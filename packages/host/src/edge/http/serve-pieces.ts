import { errorBody, type Limits, refuse } from '@svc/contract'
import { pause } from '@svc/node'
import type { Pieces } from '../../data/app-files/pieces.ts'

/** A part of some bytes: from `from` up to `to`, which is not among them. */
export interface ByteRange {
  readonly from: number
  readonly to: number
}

const ONE = /^bytes=(\d*)-(\d*)$/

/**
 * Reads a `Range` header against the size of what it asks for. `null`: all of it, where there is no such header, where
 * it is not understood, and where it names several ranges; `outside`: there are no such bytes.
 */
export function readRange(header: string | null, size: number): ByteRange | null | 'outside' {
  const [, first = '', last = ''] = ONE.exec(header?.replaceAll(/\s/g, '') ?? '') ?? []
  if (first === '' && last === '') return null
  if (first === '')
    return Number(last) === 0 || size === 0 ? 'outside' : { from: Math.max(0, size - Number(last)), to: size }
  const from = Number(first)
  const to = last === '' ? size : Math.min(size, Number(last) + 1)
  if (last !== '' && Number(last) < from) return null
  return from >= size ? 'outside' : { from, to }
}

/** Whether an `If-None-Match` names this tag, or any; a weak spelling of it counts. */
export const namesTag = (header: string | null, etag: string): boolean =>
  header !== null &&
  (header.trim() === '*' || header.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag))

/** What is served: its status without conditions and ranges, its headers without those of the body. */
export interface ServedPieces {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Pieces
}

/**
 * Serves `GET` and `HEAD` of some bytes, read as fast as they are taken. Bytes with an `ETag` can be asked for in one
 * range, and are left out where the caller has them. Of several ranges all bytes are sent, as HTTP allows.
 */
export function servePieces(
  request: Request,
  { status, headers, body }: ServedPieces,
  limits: Pick<Limits, 'SERVED_PIECE_BYTES'>,
): Response {
  const isHead = request.method === 'HEAD'
  const send = (code: number, from: number, to: number, more: Readonly<Record<string, string>> = {}) => {
    const all = { ...headers, ...more, 'content-length': String(to - from) }
    return new Response(isHead ? null : streamOf(body, from, to, limits), { status: code, headers: all })
  }
  const { etag, size } = body
  if (etag === null) return send(status, 0, size)
  const asked = request.headers
  const { 'content-type': _type, ...kept } = headers
  if (namesTag(asked.get('if-none-match'), etag))
    return new Response(null, { status: 304, headers: { ...kept, etag } })
  const etagHeaders = { etag, 'accept-ranges': 'bytes' }
  const isOfThese = [null, etag].includes(asked.get('if-range'))
  const range = !isHead && isOfThese ? readRange(asked.get('range'), size) : null
  if (range === null) return send(status, 0, size, etagHeaders)
  if (range === 'outside') return outside(kept, size)
  const { from, to } = range
  return send(206, from, to, { ...etagHeaders, 'content-range': `bytes ${from}-${to - 1}/${size}` })
}

function outside(headers: Readonly<Record<string, string>>, size: number): Response {
  const error = errorBody(refuse('invalid_arg', `Range must begin within the ${size} bytes of this file`))
  const own = { 'cache-control': 'no-store', 'content-range': `bytes */${size}` }
  return Response.json({ error }, { status: 416, headers: { ...headers, ...own } })
}

/**
 * Reads a piece when it is asked for, and none ahead. Others have a turn between two: the kernel takes megabytes of a
 * new reader at once.
 */
function streamOf(
  body: Pieces,
  from: number,
  to: number,
  { SERVED_PIECE_BYTES }: Pick<Limits, 'SERVED_PIECE_BYTES'>,
): ReadableStream<Uint8Array> {
  let at = from
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        if (at === to) return controller.close()
        if (at > from) await pause()
        const piece = await body.slice(at, Math.min(to, at + SERVED_PIECE_BYTES))
        if (!piece?.length) return controller.error(new Error('the bytes were deleted while they were sent'))
        at += piece.length
        controller.enqueue(piece)
        if (at === to) controller.close()
      },
    },
    { highWaterMark: 0 },
  )
}
