/** A part of some bytes: from `from` up to `to`, which is not among them. */
export interface ByteRange {
  readonly from: number
  readonly to: number
}

const ONE = /^bytes=(\d*)-(\d*)$/

/**
 * Reads a `Range` header against the size of what it asks for. `null`: all of it, where there is no such header, where
 * it is none that is understood, and where it names several ranges; `outside`: there are no such bytes.
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
