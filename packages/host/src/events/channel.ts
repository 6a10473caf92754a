import type { Limits } from '@svc/contract'
import { pause } from '@svc/node'
import type { Entry, Journals } from '@svc/state'
import type { Logger } from 'pino'
import { type Rendered, render, type View } from './view.ts'

/** Why a channel ended: its journal does not continue where the channel was, or could not be read. */
export type ChannelEnd = 'lost' | 'failed'

/** Entries that came in together. Each view of them is rendered once, for all subscribers that have it. */
export interface SharedBatch {
  /** The seq before the first of its entries. */
  readonly after: number
  /** The seq of its last entry. */
  readonly until: number
  /** The bytes of a view; views with the same key are the same. */
  rendered<Mark>(view: View<Mark>): Rendered<Mark>
}

/** What is notified of the new entries of a channel. */
export interface Subscriber {
  offer(batch: SharedBatch): void
  end(why: ChannelEnd): void
}

/** One journal as this host follows it, once for all its subscribers. */
export interface Channel {
  readonly journal: string
  /** The seq up to which its subscribers were offered everything. */
  readonly position: number
  subscribe(subscriber: Subscriber): void
  unsubscribe(subscriber: Subscriber): void
}

/** The journals that this host follows, each once. */
export interface Channels {
  /** The channel of a journal; one that is not followed yet is, from behind the seq `after`. Subscribe at once. */
  of(journal: string, after: number): Channel
}

/** What channels are made of. */
export interface ChannelsDeps {
  readonly journals: Journals
  readonly limits: Limits
  readonly log: Logger
}

/** Opens the channels of a host. They need no close: a channel lives as long as it has subscribers. */
export function openChannels(deps: ChannelsDeps): Channels {
  const channels = new Map<string, Channel>()
  return {
    of(journal, after) {
      const known = channels.get(journal)
      if (known) return known
      const channel = openChannel(deps, journal, after, () => {
        if (channels.get(journal) === channel) channels.delete(journal)
      })
      channels.set(journal, channel)
      return channel
    },
  }
}

/**
 * Follows a journal from behind the seq `after`, from the first subscriber to the last. `onOver` is called once: when
 * the last one has left, or when the journal could not be followed any further.
 */
function openChannel(
  { journals, limits, log }: ChannelsDeps,
  journal: string,
  after: number,
  onOver: () => void,
): Channel {
  const subscribers = new Set<Subscriber>()
  const over = new AbortController()
  const limit = limits.EVENT_READ_MAX
  let position = after

  const finish = (why: ChannelEnd) => {
    if (over.signal.aborted) return
    over.abort()
    onOver()
    for (const subscriber of subscribers) subscriber.end(why)
  }
  /** A write costs more than an event: where entries follow at once, the next ones are left to come together. */
  const gather = async () => {
    for (let turn = 0; turn < limits.EVENT_GATHER_TURNS && !over.signal.aborted; turn += 1) {
      await pause()
    }
  }
  const run = async () => {
    /** The last entries had to be waited for: nobody knows of others that would come with them. */
    let isQuiet = true
    let mark: NodeJS.Immediate | undefined
    try {
      for await (const { items, reset } of journals.follow(journal, position, {
        signal: over.signal,
        limit,
      })) {
        clearImmediate(mark)
        if (reset) return finish('lost')
        const batch = shareBatch(position, items)
        position = batch.until
        for (const subscriber of subscribers) subscriber.offer(batch)
        if (items.length < limit && !isQuiet) await gather()
        isQuiet = false
        mark = setImmediate(() => {
          isQuiet = true
        })
      }
    } catch (err) {
      log.warn({ err, journal }, 'the subscription to a journal failed')
    }
    finish('failed')
  }
  void run()

  return {
    journal,
    get position() {
      return position
    },
    subscribe: (subscriber) => void subscribers.add(subscriber),
    unsubscribe(subscriber) {
      subscribers.delete(subscriber)
      if (subscribers.size === 0) finish('failed')
    },
  }
}

function shareBatch(after: number, entries: readonly Entry[]): SharedBatch {
  const made = new Map<string, Rendered<unknown>>()
  return {
    after,
    until: entries.at(-1)?.seq ?? after,
    rendered<Mark>(view: View<Mark>) {
      const rendered = made.get(view.key) ?? render(entries, view)
      made.set(view.key, rendered)
      return rendered as Rendered<Mark>
    },
  }
}
