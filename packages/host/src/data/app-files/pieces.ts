import type { Blobs } from '@svc/state'

/** Bytes that are read in pieces, so that a slow reader holds one of them and not all. */
export interface Pieces {
  readonly size: number
  /** The strong `ETag` of the bytes; `null`: they have none, and no part of them can be asked for. */
  readonly etag: string | null
  /** The bytes from `from` up to `to`; `null`: they have gone. */
  slice(from: number, to: number): Promise<Uint8Array | null>
}

/** The bytes behind a digest, of which `size` are known; `null`: there are none. */
export async function blobPieces(
  blobs: Pick<Blobs, 'slice'>,
  digest: string,
  size: number,
): Promise<Pieces | null> {
  const isThere = (await blobs.slice(digest, 0, 0)) !== null
  return isThere ? { size, etag: `"${digest}"`, slice: (from, to) => blobs.slice(digest, from, to) } : null
}

/** Bytes that are made for one answer, such as a refusal. */
export const madePieces = (bytes: Uint8Array): Pieces => ({
  size: bytes.length,
  etag: null,
  slice: async (from, to) => bytes.subarray(from, to),
})

/** All of them, for who needs the whole; `null`: they have gone. */
export const wholeOf = (pieces: Pieces): Promise<Uint8Array | null> => pieces.slice(0, pieces.size)
