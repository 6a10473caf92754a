export { type WatchParts, watchSilence } from './life.ts'
export * from './messages.ts'
export { PACKET_HEAD_BYTES } from './packet.ts'
export { type LinkHead, type LinkReader, type LinkReaderParts, openLinkReader } from './reader.ts'
export { type LinkSocket, openWire, type Wire, type WireEnd, type WireParts } from './wire.ts'
export {
  type LinkBounds,
  type LinkPipe,
  type LinkWriter,
  openLinkWriter,
  type SentMessage,
} from './writer.ts'
