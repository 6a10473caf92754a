import type { Limits } from '@svc/contract'
import type { Clock } from '@svc/node'
import type { Journals } from '@svc/state'
import type { Cursors } from '../access/audit/cursors.ts'
import { frameJournal } from '../catalog/run-row.ts'
import type { Logger } from '../kernel/logger.ts'
import type { ChannelEnd, Channels } from './channel.ts'
import { userJournal } from './events.ts'
import { type CatchUpQueue, type Feed, type FeedOwner, JournalFeed } from './feed.ts'
import { type Follow, followKey } from './item.ts'
import { COMMENT, moved, retryAtOnce, stream } from './sse.ts'
import {
  type Connection,
  type ConnectionEvents,
  ConnectionWriter,
  type FlushSchedule,
} from './stream-writer.ts'
import { eventView, type Filter, frameView, type Rendered } from './view.ts'

/** What all event streams of a host share. */
export interface StreamsHost {
  readonly journals: Journals
  readonly channels: Channels
  readonly clock: Clock
  readonly limits: Limits
  readonly log: Logger
  readonly schedule: FlushSchedule
  /** Streams that catch up at once would hold up the loop together. */
  readonly catchUpQueue: CatchUpQueue
}

/** What an event stream is made of besides. */
export interface EventStreamOptions {
  readonly userId: string
  readonly cursors: Cursors
  readonly filter: Filter
  readonly connection: Connection
  /** Where its page begins. */
  readonly place: Place
  readonly owner: StreamOwner
}

/** Who opened an event stream. */
export interface StreamOwner {
  /** Called once when the stream is over. */
  onStreamOver(): void
}

/** Where a page begins to read. */
export interface Place {
  /** The last seq of its user's journal; entries before it no longer matter for where streams begin. */
  readonly tail: number
  /** The seq of that journal which the page has seen. */
  readonly after: number
  /** The first text that the page gets. */
  readonly opening: string
  /** The streams that it follows from the beginning. */
  readonly streams: readonly Follow[]
}

/** What a page's stream has to do when it passes an entry: follow a run, or leave one whose frames are all there. */
type Mark = Follow | 'done'

/** The key of the feed of its user's journal. */
const USER_FEED = ''

/**
 * The stream of one page: a feed of its user's journal, and one of each run that its windows follow. No more than
 * `READER_BUFFER_MAX_BYTES` wait for its reader, or a single event above it. A class, because a host has one for each
 * page that is open: its methods are made once.
 */
export class EventStream implements ConnectionEvents, FeedOwner<Mark> {
  readonly writer: ConnectionWriter
  readonly #host: StreamsHost
  readonly #userId: string
  readonly #cursors: Cursors
  readonly #owner: StreamOwner
  readonly #tail: number
  readonly #userFeed: Feed
  /** Those of runs; most pages have none. */
  #runFeeds: Map<string, Feed> | null = null
  /** The runs that it follows from the beginning; they wait until the page has passed the tail. */
  #waiting: Map<string, Follow> | null = null
  #hasBegun = false
  /** The position whose cursor the page was sent last while nothing came. */
  #sentPosition: number
  #isCatchingUp = false
  #isOver = false
  #stopComment = () => {}

  constructor(host: StreamsHost, { userId, cursors, filter, connection, place, owner }: EventStreamOptions) {
    this.#host = host
    this.#userId = userId
    this.#cursors = cursors
    this.#owner = owner
    this.#tail = place.tail
    this.#sentPosition = place.after
    this.writer = new ConnectionWriter(host, connection, () => this.#finish('destroy'))
    for (const wanted of place.streams) this.#await(wanted)
    this.#planComment()
    this.writer.write(Buffer.from(place.opening))
    for (const wanted of place.streams) this.#announce(wanted)
    const channel = host.channels.of(userJournal(userId), place.tail)
    this.#userFeed = new JournalFeed<Mark>(USER_FEED, this, channel, eventView(filter, cursors), place.after)
    void this.#catchUp()
    if (place.after >= place.tail) this.#beginWaiting()
  }

  get journals(): Journals {
    return this.#host.journals
  }

  get limits(): Limits {
    return this.#host.limits
  }

  onDrain(): void {
    this.writer.onDrain()
    void this.#catchUp()
  }

  onClose(): void {
    this.#finish('detach')
  }

  /** Ends the stream: its page connects again. */
  end(): void {
    this.#finish('end')
  }

  /** The same, and the page does not wait: another host of the store goes on. */
  leave(): void {
    this.writer.write(Buffer.from(retryAtOnce))
    this.writer.flush()
    this.#finish('end')
  }

  onPass(feed: Feed, { marks, until }: Rendered<Mark>): void {
    for (const mark of marks) {
      if (mark !== 'done') this.#follow(mark)
      else {
        feed.close()
        this.#runFeeds?.delete(feed.key)
      }
    }
    if (feed === this.#userFeed && until >= this.#tail) this.#beginWaiting()
  }

  onBehind(): void {
    void this.#catchUp()
  }

  onOver(feed: Feed, why: ChannelEnd): void {
    this.#runFeeds?.delete(feed.key)
    // Each page is judged by its own cursor when it connects again: that is the one place for a `reset`. Frames that are
    // gone nobody can send; the client learns it where it asks for them.
    if (feed === this.#userFeed || why === 'failed') this.end()
  }

  /** A run that begins is followed once; what had to be replayed begins again where that was asked for. */
  #follow(wanted: Follow): void {
    const key = followKey(wanted)
    if (wanted.after === null && (this.#waiting?.has(key) || this.#runFeeds?.has(key))) return
    this.#announce(wanted)
    if (this.#hasBegun) this.#followFrames(wanted)
    else this.#await(wanted)
  }

  #await(wanted: Follow): void {
    this.#waiting ??= new Map()
    this.#waiting.set(followKey(wanted), wanted)
  }

  /** The page learns its place before the cursor moves past what gave it, so that a cut between loses neither. */
  #announce({ windowUuid, streamId, after }: Follow): void {
    this.writer.write(Buffer.from(stream(windowUuid, streamId, after ?? 0)))
  }

  #beginWaiting(): void {
    if (this.#hasBegun) return
    this.#hasBegun = true
    for (const wanted of this.#waiting?.values() ?? []) this.#followFrames(wanted)
  }

  #followFrames(wanted: Follow): void {
    const { windowUuid, streamId, after } = wanted
    const [key, from] = [followKey(wanted), after ?? 0]
    this.#runFeeds ??= new Map()
    this.#runFeeds.get(key)?.close()
    const channel = this.#host.channels.of(frameJournal(streamId), from)
    const feed = new JournalFeed<Mark>(key, this, channel, frameView(windowUuid, streamId), from)
    this.#runFeeds.set(key, feed)
    void this.#catchUp()
  }

  #behind(): Feed[] {
    if (this.#isOver || this.writer.full) return []
    return [this.#userFeed, ...(this.#runFeeds?.values() ?? [])].filter((feed) => feed.behind)
  }

  /** Reads what the channels offered before this stream was opened, or while it was full: one journal after another. */
  async #catchUp(): Promise<void> {
    if (this.#isCatchingUp) return
    this.#isCatchingUp = true
    try {
      for (let feeds = this.#behind(); feeds.length > 0; feeds = this.#behind()) {
        for (const feed of feeds) {
          await this.#host.catchUpQueue()
          if (feed.behind && !this.writer.full) await feed.catchUp()
        }
        this.writer.flush()
      }
    } catch (err) {
      this.#host.log.warn({ err, user: this.#userId }, 'a journal could not be read')
      this.end()
    } finally {
      this.#isCatchingUp = false
    }
  }

  #planComment(): void {
    const { clock, limits } = this.#host
    this.#stopComment = clock.setTimer(() => this.#comment(), limits.EVENT_COMMENT_MS)
  }

  #comment(): void {
    if (!this.writer.full) {
      const { position } = this.#userFeed
      const isSame = position === this.#sentPosition
      this.writer.write(Buffer.from(isSame ? COMMENT : COMMENT + moved(this.#cursors.write(position))))
      this.#sentPosition = position
    }
    this.#planComment()
  }

  #finish(how: 'end' | 'destroy' | 'detach'): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#stopComment()
    this.#userFeed.close()
    for (const feed of this.#runFeeds?.values() ?? []) feed.close()
    this.writer[how]()
    this.#owner.onStreamOver()
  }
}
