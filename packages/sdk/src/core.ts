import type { Client } from '@svc/contract/client'
import type { ConnectOptions } from './connection.ts'
import { documentConnection } from './document.ts'
import { createClient } from './proxy.ts'

export type { CallOptions, Client } from '@svc/contract/client'
export type { ConnectOptions, Hello } from './connection.ts'
export { HostRpcError, isHostRpcError } from './errors.ts'

/** The typed client of this document; the first call opens the connection. */
export const client: Client = createClient((...call) => documentConnection().call(...call))

/**
 * Connects the document to its host and returns the typed client: the smallest part of the SDK, without
 * events, heartbeat, error reports and the question before closing.
 *
 * @throws HostRpcError `not_hosted` when no host answers in 2 s.
 */
export async function connect({ clientInfo }: ConnectOptions = {}): Promise<Client> {
  await documentConnection().hello(clientInfo)
  return client
}

/** Returns whether this document is in a host: true once one answered, false after 2 s, at once in a tab of its own. */
export const isHosted = (): Promise<boolean> => documentConnection().hosted()
