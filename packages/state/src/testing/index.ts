export { blobsSuite } from './blobs-suite.ts'
export { busSuite } from './bus-suite.ts'
export { storeSuite } from './store-suite.ts'
export { type NextWrites, openWatched, type WatchedWrite } from './watched-store.ts'
