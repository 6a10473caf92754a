import { type Connection, createConnection } from './connection.ts'

/** Where all copies of the SDK in one document meet; the digit is the version of what they share. */
const SHARED = Symbol.for('svc.sdk.2')

type SharedThings = Map<string, unknown>

/** What the document has once, by name. */
export function sharedThings(): SharedThings {
  const room = globalThis as { [SHARED]?: SharedThings }
  room[SHARED] ??= new Map()
  return room[SHARED]
}

/** A thing that a document has once, whichever copy of the SDK asks first. */
export function once<Thing>(name: string, make: () => Thing): Thing {
  const shared = sharedThings()
  if (!shared.has(name)) shared.set(name, make())
  return shared.get(name) as Thing
}

/** The document's one connection; outside a browser it answers `not_hosted`. */
export const documentConnection = (): Connection =>
  once('connection', () => createConnection(typeof window === 'undefined' ? undefined : window))
