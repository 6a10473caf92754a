export { copyInTurns, digestInTurns, digestOf, type OwnBytes } from './blobs/digest.ts'
export { memoryBlobs } from './blobs/memory/memory.ts'
export type { Blobs } from './blobs/port.ts'
export { BusError } from './bus/bus-error.ts'
export { memoryBus } from './bus/memory/memory.ts'
export type {
  Answerer,
  AppendResult,
  AskContext,
  AskOptions,
  Batch,
  Bus,
  Entry,
  FollowOptions,
  Journals,
  Stop,
  TrimOptions,
} from './bus/port.ts'
export { type Copy, openCopy } from './store/copy.ts'
export { all, type EachOptions, each, eachSettled } from './store/each.ts'
export { frozenInTurns } from './store/freeze.ts'
export { memoryStore } from './store/memory/memory.ts'
export {
  type Cap,
  type Collection,
  collection,
  type InsertResult,
  type Key,
  type KeyPart,
  type Page,
  type ScanOptions,
  type Store,
  type StoreRecord,
  type SwapResult,
  type WriteOptions,
} from './store/port.ts'
export { StoreError } from './store/store-error.ts'
export { REMOVE, update } from './store/update.ts'
