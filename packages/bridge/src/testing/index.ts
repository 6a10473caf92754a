export { openBridge } from '../create-bridge.ts'
export type { PageWindow } from '../follow-page.ts'
export { type EventHead, readHostEvent } from '../host-event.ts'
export { createSseReader, type SseEnds } from '../sse.ts'
