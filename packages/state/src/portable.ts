export { ArchiveError, type ArchiveErrorCode } from './portable/archive-error.ts'
export { inOrder } from './portable/in-order.ts'
export { type MemoryState, type MemoryStateOptions, memoryState } from './portable/memory-state.ts'
export type {
  BlobPiece,
  ItemPiece,
  JournalPiece,
  Piece,
  Pieces,
  RecordPiece,
  SecretPiece,
  StatePiece,
} from './portable/piece.ts'
export { readState } from './portable/read-state.ts'
export { writeState } from './portable/write-state.ts'
