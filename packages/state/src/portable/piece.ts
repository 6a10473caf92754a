/**
 * The state of a host, piece by piece, in the order of the archive: `state`; records by collection and id; journals by
 * name, each with its items; blobs by digest; `secret`. Names and ids are ordered as `<` orders text in JavaScript.
 * Every driver can give its state as pieces, and begin with those of another (docs/guides/backup-format.md).
 */
export type Pieces = AsyncIterable<Piece>

/** A part of the state of a host. */
export type Piece = StatePiece | RecordPiece | JournalPiece | ItemPiece | BlobPiece | SecretPiece

/** What begins a state. */
export interface StatePiece {
  readonly kind: 'state'
  /** At least as high as any revision that was ever given: those of later writes are above it. */
  readonly revision: number
}

/** A record of the store. */
export interface RecordPiece {
  readonly kind: 'record'
  readonly collection: string
  readonly id: string
  readonly revision: number
  /** JSON text, as `JSON.stringify` writes it. */
  readonly row: string
}

/** A journal; its items follow, `first` to `tail`. */
export interface JournalPiece {
  readonly kind: 'journal'
  readonly journal: string
  /** The lowest seq that is kept; `tail + 1` where none is. */
  readonly first: number
  /** The highest seq that was ever given. */
  readonly tail: number
}

/** An item of the journal before it. */
export interface ItemPiece {
  readonly kind: 'item'
  readonly seq: number
  /** When it was appended, Unix ms. */
  readonly at: number
  /** JSON text, carried untouched. */
  readonly item: string
}

/** A blob. Its bytes are there until the next piece is asked for. */
export interface BlobPiece {
  readonly kind: 'blob'
  readonly digest: string
  readonly size: number
  readonly bytes: Iterable<Uint8Array> | AsyncIterable<Uint8Array>
}

/** The secret of tokens, with which a state ends. */
export interface SecretPiece {
  readonly kind: 'secret'
  readonly secret: string
}
