export type { Clock } from '../clock.ts'
export { type Connection, createConnection, type Place } from '../connection.ts'
export { once } from '../document.ts'
export { type DocumentGlobal, type OpenDocument, openDocument } from '../open-document.ts'
// Loaded here, so that the first session of a test waits for no file.
export { createSessions } from '../sessions.ts'
export { createReplies } from '../state/session-replies.ts'
export { createSvc } from '../svc.ts'
export { forget } from './forget.ts'
