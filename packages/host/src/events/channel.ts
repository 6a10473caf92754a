import type { Limits } from '@svc/contract'
import { type Clock, pause } from '@svc/node'
import type { Entry, Journals } from '@svc/state'
import type { Logger } from '../kernel/logger.ts'
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
  readonly clock: Clock
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
      const channel = new JournalChannel(deps, channels, journal, after)
      channels.set(journal, channel)
      channel.begin()
      return channel
    },
  }
}

/**
 * Follows a journal from behind a seq, from the first subscriber to the last, or until the journal cannot be followed
 * any further. A class, because a host has one for each user whose page is open: its methods are made once.
 */
class JournalChannel implements Channel {
  readonly journal: string
  position: number
  readonly #deps: ChannelsDeps
  readonly #channels: Map<string, Channel>
  readonly #subscribers = new Set<Subscriber>()
  readonly #over = new AbortController()

  constructor(deps: ChannelsDeps, channels: Map<string, Channel>, journal: string, after: number) {
    this.#deps = deps
    this.#channels = channels
    this.journal = journal
    this.position = after
  }

  subscribe(subscriber: Subscriber): void {
    this.#subscribers.add(subscriber)
  }

  unsubscribe(subscriber: Subscriber): void {
    this.#subscribers.delete(subscriber)
    if (this.#subscribers.size === 0) this.#finish('failed')
  }

  begin(): void {
    void this.#run()
  }

  async #run(): Promise<void> {
    const { journals, limits, log } = this.#deps
    const limit = limits.EVENT_READ_MAX
    /** The last entries had to be waited for: nobody knows of others that would come with them. */
    let isQuiet = true
    let mark: NodeJS.Immediate | undefined
    try {
      for await (const { items, reset } of journals.follow(this.journal, this.position, {
        signal: this.#over.signal,
        limit,
      })) {
        clearImmediate(mark)
        if (reset) return this.#finish('lost')
        const batch = shareBatch(this.position, items)
        this.position = batch.until
        for (const subscriber of this.#subscribers) subscriber.offer(batch)
        if (items.length < limit && !isQuiet) await this.#gather()
        isQuiet = false
        mark = setImmediate(() => {
          isQuiet = true
        })
      }
    } catch (err) {
      log.warn({ err, journal: this.journal }, 'the subscription to a journal failed')
    }
    this.#finish('failed')
  }

  /** A write costs more than an event: where entries follow at once, the next ones are left to come together. */
  async #gather(): Promise<void> {
    const { clock, limits } = this.#deps
    const until = clock.now() + limits.EVENT_GATHER_MS
    for (let turn = 0; turn < limits.EVENT_GATHER_TURNS && !this.#over.signal.aborted; turn += 1) {
      await pause()
      if (clock.now() >= until) return
    }
  }

  #finish(why: ChannelEnd): void {
    if (this.#over.signal.aborted) return
    // Without a reason, an abort makes one, with a stack.
    this.#over.abort(why)
    if (this.#channels.get(this.journal) === this) this.#channels.delete(this.journal)
    for (const subscriber of this.#subscribers) subscriber.end(why)
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
