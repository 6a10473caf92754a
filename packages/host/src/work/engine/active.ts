import type { Owner } from '../../kernel/hosts.ts'
import { hostClosing } from '../../kernel/leaving.ts'
import type { WorkServices } from '../services.ts'

/** How one kind of work is active on a host. */
interface ActiveWork<Held> {
  /** Where a host is notified of what it owns. */
  readonly topicOf: (hostId: string) => string
  /** Another host ended something of this one. Such a message may be lost, so the rows are checked as well. */
  readonly onMessage: (message: string) => void
  /** One was released. */
  readonly onRelease?: (one: Held) => void
}

/** Opens what a host does of one kind of work: what it holds, by the ids of the records, and as whom. */
export function openActive<Held extends { readonly id: string }>(
  { bus, hosts }: Pick<WorkServices, 'bus' | 'hosts'>,
  { topicOf, onMessage, onRelease }: ActiveWork<Held>,
) {
  const held = new Map<string, Held>()
  const lives = new Set<Promise<void>>()
  let listening: Promise<() => void> | null = null
  let isListening = false
  let self: Owner | null = null
  let isClosed = false

  const mustBeOpen = () => {
    if (isClosed) throw hostClosing()
  }
  const all = (): readonly Held[] => [...held.values()]

  /** Releases one, if it is held; says whether it was. */
  function release(one: Held): boolean {
    if (held.get(one.id) !== one) return false
    held.delete(one.id)
    onRelease?.(one)
    return true
  }

  return {
    /**
     * The host as it is in rows that it owns: from here on it is notified of those that another host ends. Errors:
     * `agent_unavailable` once it closes.
     */
    async me(): Promise<Owner> {
      mustBeOpen()
      const known = isListening ? hosts.known() : null
      if (known) return known
      const owner = await hosts.me()
      mustBeOpen()
      self = owner
      listening ??= bus.subscribe(topicOf(owner.host_id), onMessage).catch((error: unknown) => {
        listening = null
        throw error
      })
      await listening
      isListening = true
      mustBeOpen()
      return owner
    },
    /** The id of this host, once it was an owner. */
    hostId: (): string | null => self?.host_id ?? null,
    get: (id: string): Held | undefined => held.get(id),
    all,
    /** Adds one. Errors: `agent_unavailable` once the host closes. */
    hold(one: Held): void {
      mustBeOpen()
      held.set(one.id, one)
    },
    release,
    /** Releases one when its life is over; `idle` waits for that. */
    follow(one: Held, life: Promise<void>): void {
      const over = life.finally(() => {
        release(one)
        lives.delete(over)
      })
      lives.add(over)
    },
    isClosed: (): boolean => isClosed,
    /** Takes up nothing more; returns what is held. */
    close(): readonly Held[] {
      isClosed = true
      return all()
    },
    /** Settles when the life of nothing is followed any more. */
    async idle(): Promise<void> {
      await Promise.allSettled(lives)
    },
    /** Stops listening. */
    async unsubscribe(): Promise<void> {
      const stop = await listening?.catch(() => null)
      stop?.()
    },
  }
}

export type Active<Held extends { readonly id: string }> = ReturnType<typeof openActive<Held>>
