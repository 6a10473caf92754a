export { BusError } from './bus/bus-error.ts'
export { type Follow, followUntil, type Source } from './bus/follow.ts'
export { openPokes } from './bus/pokes.ts'
export { makeWaits, type Waits } from './bus/waits.ts'
export { type Bounds, boundsOf } from './store/bounds.ts'
export { decodeCursor, encodeCursor } from './store/cursor.ts'
export { frozenCopy, frozenFromText } from './store/freeze.ts'
export {
  above,
  type ByteText,
  compareKeys,
  decodePart,
  encodeEntry,
  encodeKey,
  encodePart,
  partEnds,
} from './store/keys.ts'
export { StoreError } from './store/store-error.ts'
export {
  type DriverTable,
  openTables,
  type Position,
  placeOf,
  positionOf,
  printOf,
} from './store/tables.ts'
export { openTroubles } from './troubles.ts'
