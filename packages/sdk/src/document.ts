import { type Connection, createConnection } from './connection.ts'

/** Where all copies of the SDK in one document meet; the digit is the version of what they share. */
const SHARED = Symbol.for('svc.sdk.3')

const room = globalThis as { [SHARED]?: Record<string, unknown> }

/** What the document has once, by name. */
export const sharedThings = room[SHARED] ?? {}
room[SHARED] = sharedThings

/** A thing that a document has once, whichever copy of the SDK asks first. */
export function once<Thing>(name: string, make: () => Thing): Thing {
  sharedThings[name] ??= make()
  return sharedThings[name] as Thing
}

/** The document's one connection; outside a browser it answers `not_hosted`. */
export const documentConnection = (): Connection =>
  once('connection', () => createConnection(globalThis.window))
