import type { Limits } from '@svc/contract'
import type { Clock } from '@svc/node'
import type { Journals } from '@svc/state'
import type { Logger } from 'pino'
import type { Cursors } from '../access/audit/cursors.ts'
import { frameJournal } from '../catalog/run-row.ts'
import type { Channels } from './channels.ts'
import { userJournal } from './emit.ts'
import { eventLens } from './event-lens.ts'
import { type Feed, type FeedOptions, openFeed } from './feed.ts'
import type { Filter } from './filter.ts'
import { frameLens } from './frame-lens.ts'
import { type Follow, followKey } from './item.ts'
import { openOutlet } from './outlet.ts'
import type { Sink, Source } from './sink.ts'
import { COMMENT, moved, stream } from './sse.ts'
import type { AtTurnEnd, OwnTurn } from './turn.ts'

/** What a reader is made of. */
export interface ReaderOptions {
  readonly journals: Journals
  readonly channels: Channels
  readonly clock: Clock
  readonly limits: Limits
  readonly log: Logger
  readonly userId: string
  readonly cursors: Cursors
  readonly filter: Filter
  readonly sink: Sink
  readonly atTurnEnd: AtTurnEnd
  /** Readers who catch up at once would hold up the loop together. */
  readonly ownTurn: OwnTurn
  /** Where its page stands. */
  readonly place: Place
  /** Called once when it is over. */
  readonly onOver: () => void
}

/** Where a page begins to read. */
export interface Place {
  /** The last seq of its user's journal; what stood there before says more of where streams begin. */
  readonly tail: number
  /** The seq of that journal which the page has seen. */
  readonly after: number
  /** The first text that the page gets. */
  readonly opening: string
  /** The streams that it follows from the beginning. */
  readonly streams: readonly Follow[]
}

/** One page that reads: the journal of its user, and the frames of the runs that its windows follow. */
export interface Reader extends Source {
  /** Ends the stream: its page connects again. */
  end(): void
}

/** Opens a reader. What waits for it stays within `READER_BUFFER_MAX_BYTES`, or a single event above it. */
export function openReader(options: ReaderOptions): Reader {
  const { journals, channels, clock, limits, log, userId, cursors, filter, place, ownTurn, onOver } = options
  const outlet = openOutlet({ ...options, onStalled: () => finish(outlet.cut) })
  const feeds = new Map<string, Feed>()
  /** The streams of its beginning; they wait until the reader has passed the tail. */
  const first = new Map(place.streams.map((wish) => [followKey(wish), wish]))
  let launched = false
  let told = place.after
  let catchingUp = false
  let over = false
  let stopComment = () => {}

  function open<Mark>(
    key: string,
    parts: Pick<FeedOptions<Mark>, 'channel' | 'lens' | 'after' | 'onPass' | 'onOver'>,
  ): Feed {
    const feed = openFeed({ journals, limits, outlet, onBehind: () => void catchUp(), ...parts })
    feeds.set(key, feed)
    void catchUp()
    return feed
  }

  /** A run that begins is followed once; what had to be replayed begins again where that was asked for. */
  function follow(wish: Follow) {
    const key = followKey(wish)
    if (wish.after === null && (first.has(key) || feeds.has(key))) return
    tell(wish)
    if (launched) begin(key, wish)
    else first.set(key, wish)
  }

  /** The page learns its place before the cursor moves past what gave it, so that a cut between loses neither. */
  function tell({ windowUuid, streamId, after }: Follow) {
    outlet.write(Buffer.from(stream(windowUuid, streamId, after ?? 0)))
  }

  function launch() {
    if (launched) return
    launched = true
    for (const [key, wish] of first) begin(key, wish)
  }

  function begin(key: string, { windowUuid, streamId, after }: Follow) {
    const from = after ?? 0
    feeds.get(key)?.close()
    const feed = open(key, {
      channel: channels.of(frameJournal(streamId), from),
      lens: frameLens(windowUuid, streamId),
      after: from,
      onPass({ marks }) {
        if (marks.length === 0) return
        feed.close()
        feeds.delete(key)
      },
      onOver(why) {
        feeds.delete(key)
        // Frames that are gone nobody can send; the client learns it where it asks for them.
        if (why === 'failed') reader.end()
      },
    })
  }

  /** Reads what the channels offered before this reader came, or while it was full: one journal after another. */
  async function catchUp() {
    if (catchingUp) return
    catchingUp = true
    const late = () => (over || outlet.full ? [] : [...feeds.values()].filter((feed) => feed.behind))
    try {
      for (let some = late(); some.length > 0; some = late()) {
        for (const feed of some) {
          await ownTurn()
          if (feed.behind && !outlet.full) await feed.catchUp()
        }
        outlet.flush()
      }
    } catch (err) {
      log.warn({ err, user: userId }, 'a journal could not be read')
      reader.end()
    } finally {
      catchingUp = false
    }
  }

  function comment() {
    stopComment = clock.setTimer(() => {
      if (!outlet.full) {
        const { position } = events
        outlet.write(Buffer.from(position === told ? COMMENT : COMMENT + moved(cursors.write(position))))
        told = position
      }
      comment()
    }, limits.EVENT_COMMENT_MS)
  }

  function finish(close: () => void) {
    if (over) return
    over = true
    stopComment()
    for (const feed of feeds.values()) feed.close()
    close()
    onOver()
  }

  const reader: Reader = {
    drained() {
      outlet.drained()
      void catchUp()
    },
    gone: () => finish(outlet.drop),
    end: () => finish(outlet.end),
  }
  comment()
  outlet.write(Buffer.from(place.opening))
  for (const wish of place.streams) tell(wish)
  const events = open('', {
    channel: channels.of(userJournal(userId), place.tail),
    lens: eventLens(filter, cursors),
    after: place.after,
    onPass({ marks, until }) {
      for (const wish of marks) follow(wish)
      if (until >= place.tail) launch()
    },
    // Each page is judged by its own cursor when it connects again: that is the one place for a `reset`.
    onOver: reader.end,
  })
  if (place.after >= place.tail) launch()
  return reader
}
