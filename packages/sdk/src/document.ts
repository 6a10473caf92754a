import { type Connection, createConnection } from './connection.ts'

/** Where all copies of the SDK in one document meet; the digit is the version of what they share. */
const SHARED = Symbol.for('svc.sdk.2')

type SharedThings = Map<string, unknown>

/** A thing that a document has once, whichever copy of the SDK asks first. */
export function once<Thing>(name: string, make: () => Thing): Thing {
  const room = globalThis as { [SHARED]?: SharedThings }
  room[SHARED] ??= new Map()
  const shared = room[SHARED]
  if (!shared.has(name)) shared.set(name, make())
  return shared.get(name) as Thing
}

/** Forgets what the document has once, for tests: who asks next makes it anew. */
export const forget = (): void => (globalThis as { [SHARED]?: SharedThings })[SHARED]?.clear()

/** The document's one connection; outside a browser it answers `not_hosted`. */
export const documentConnection = (): Connection =>
  once('connection', () => createConnection(typeof window === 'undefined' ? undefined : window))
