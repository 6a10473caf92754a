import { refuse } from '@svc/contract'
import type { Owner } from '../../kernel/hosts/host-row.ts'
import type { WorkServices } from '../services.ts'

/** This host as the owner of what it does. */
export interface Ownership {
  /**
   * The host as it stands in rows that it owns: from here on it hears of those that another host ends. Errors:
   * `agent_unavailable` once it closes.
   */
  me(): Promise<Owner>
  /** The id of this host, once it was an owner. */
  readonly hostId: string | null
  /** Hears nothing any more. */
  close(): Promise<void>
}

/** What is owned. */
export interface OwnedWork {
  /** Where a host hears of what it owns. */
  readonly topicOf: (hostId: string) => string
  /** Another host ended something of this one. Such a word may be lost, so the rows are looked at besides. */
  readonly heard: (message: string) => void
  /** Whether the host takes nothing more. */
  readonly isClosed: () => boolean
}

/** The refusal of a host that takes nothing more. */
export const hostCloses = () => refuse('agent_unavailable', 'this host is closing')

/** Opens the ownership of one kind of work. */
export function openOwnership(
  { bus, hosts }: Pick<WorkServices, 'bus' | 'hosts'>,
  { topicOf, heard, isClosed }: OwnedWork,
): Ownership {
  let listening: Promise<() => void> | null = null
  let self: Owner | null = null

  const mustBeOpen = () => {
    if (isClosed()) throw hostCloses()
  }

  return {
    async me() {
      mustBeOpen()
      const owner = await hosts.me()
      mustBeOpen()
      self = owner
      listening ??= bus.subscribe(topicOf(owner.host_id), heard).catch((error: unknown) => {
        listening = null
        throw error
      })
      await listening
      mustBeOpen()
      return owner
    },
    get hostId() {
      return self?.host_id ?? null
    },
    async close() {
      const stop = await listening?.catch(() => null)
      stop?.()
    },
  }
}
