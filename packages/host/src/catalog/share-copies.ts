import type { Bus, Copy, Store, StoreRecord } from '@svc/state'
import type { Logger } from '../kernel/logger.ts'
import type { Copies } from './copies.ts'

const TOPIC = 'copies'

type Kind = keyof Copies

/** What the sharing of copies needs. */
export interface SharedCopiesParts {
  readonly bus: Pick<Bus, 'publish' | 'subscribe'>
  readonly store: Pick<Store, 'isExclusive'>
  readonly log: Logger
  /** The id of this host: it hears its own messages too. */
  readonly hostId: string
}

/**
 * Has the other hosts of the store drop a copy whose record this host wrote, and drops what they write. A message may be
 * lost: then their copy lives until it is `CACHE_STALE_MS` old.
 */
export function shareCopies(
  own: Copies,
  { bus, store, log, hostId }: SharedCopiesParts,
): { readonly copies: Copies; close(): Promise<void> } {
  if (store.isExclusive) return { copies: own, close: async () => {} }
  let waiting: (readonly [kind: string, id: string])[] = []
  let closed = false

  const listening = bus.subscribe(TOPIC, (text) => {
    const [from, dropped] = JSON.parse(text) as [string, [Kind, string][]]
    if (from === hostId) return
    // A newer host of the store may have a kind of copy that this one does not know.
    for (const [kind, id] of dropped) if (Object.hasOwn(own, kind)) own[kind].drop(id)
  })
  listening.catch((err: unknown) => log.warn({ err }, 'the writes of other hosts cannot be received'))

  /** All that one turn wrote is one message. */
  function tell(kind: string, id: string): void {
    if (closed) return
    if (waiting.push([kind, id]) > 1) return
    queueMicrotask(() => {
      const dropped = waiting
      waiting = []
      bus.publish(TOPIC, JSON.stringify([hostId, dropped])).catch((err: unknown) => {
        if (!closed) log.warn({ err }, 'the other hosts could not be notified of a write')
      })
    })
  }

  const shared = <Row>(kind: string, copy: Copy<Row>): Copy<Row> => ({
    get: copy.get,
    drop(id: string, next?: StoreRecord<Row>) {
      copy.drop(id, next)
      tell(kind, id)
    },
  })
  return {
    copies: {
      users: shared('users', own.users),
      windows: shared('windows', own.windows),
      installs: shared('installs', own.installs),
      versions: shared('versions', own.versions),
      apps: shared('apps', own.apps),
      plugs: shared('plugs', own.plugs),
      plugValues: shared('plugValues', own.plugValues),
      publishers: shared('publishers', own.publishers),
      plugVersions: shared('plugVersions', own.plugVersions),
      offered: shared('offered', own.offered),
    },
    async close() {
      closed = true
      const stop = await listening.catch(() => undefined)
      stop?.()
    },
  }
}
