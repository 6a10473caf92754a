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

/**
 * Where one is held; `null`: it was released. A map that grows and shrinks leaves its former tables to the next full
 * collection of garbage, with all that was in them: so they have these, and not what was held.
 */
interface Place<Held> {
  one: Held | null
}

/** Opens what a host does of one kind of work: what it holds, by the ids of the records, and as whom. */
export function openActive<Held extends { readonly id: string }>(
  { bus, hosts }: Pick<WorkServices, 'bus' | 'hosts'>,
  { topicOf, onMessage, onRelease }: ActiveWork<Held>,
) {
  const places = new Map<string, Place<Held>>()
  const lives = new Set<Promise<void>>()
  let listening: Promise<() => void> | null = null
  let isListening = false
  let self: Owner | null = null
  let isClosed = false

  const mustBeOpen = () => {
    if (isClosed) throw hostClosing()
  }
  const all = (): readonly Held[] => [...places.values()].flatMap(({ one }) => one ?? [])

  /** Releases one, if it is held; says whether it was. */
  function release(one: Held): boolean {
    const place = places.get(one.id)
    if (place?.one !== one) return false
    place.one = null
    places.delete(one.id)
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
    get: (id: string): Held | undefined => places.get(id)?.one ?? undefined,
    all,
    /** Adds one. Errors: `agent_unavailable` once the host closes. */
    hold(one: Held): void {
      mustBeOpen()
      places.set(one.id, { one })
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
