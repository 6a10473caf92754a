export { openBridge, type PageWindow } from '../create-bridge.ts'
export { type EventHead, readHostEvent } from '../host-event.ts'
export { createSseReader, type SseEnds } from '../sse.ts'
