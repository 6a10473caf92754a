import type { Limits } from '@svc/contract'
import type { Clock } from '@svc/node'
import type { Journals } from '@svc/state'
import type { Logger } from 'pino'
import type { Cursors } from '../access/audit/cursors.ts'
import { frameJournal } from '../catalog/run-row.ts'
import type { Channels } from './channel.ts'
import { userJournal } from './events.ts'
import { type CatchUpQueue, type Feed, type FeedOptions, openFeed } from './feed.ts'
import { type Follow, followKey } from './item.ts'
import { COMMENT, moved, retryAtOnce, stream } from './sse.ts'
import {
  type Connection,
  type ConnectionEvents,
  type FlushSchedule,
  openStreamWriter,
} from './stream-writer.ts'
import { eventView, type Filter, frameView } from './view.ts'

/** What an event stream is made of. */
export interface EventStreamOptions {
  readonly journals: Journals
  readonly channels: Channels
  readonly clock: Clock
  readonly limits: Limits
  readonly log: Logger
  readonly userId: string
  readonly cursors: Cursors
  readonly filter: Filter
  readonly connection: Connection
  readonly schedule: FlushSchedule
  /** Streams that catch up at once would hold up the loop together. */
  readonly catchUpQueue: CatchUpQueue
  /** Where its page begins. */
  readonly place: Place
  /** Called once when it is over. */
  readonly onOver: () => void
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

/** The stream of one page: a feed of its user's journal, and one of each run that its windows follow. */
export interface EventStream extends ConnectionEvents {
  /** Ends the stream: its page connects again. */
  end(): void
  /** The same, and the page does not wait: another host of the store goes on. */
  leave(): void
}

/** Opens an event stream. No more than `READER_BUFFER_MAX_BYTES` wait for its reader, or a single event above it. */
export function openEventStream(options: EventStreamOptions): EventStream {
  const { journals, channels, clock, limits, log, userId, cursors, filter, place, catchUpQueue, onOver } =
    options
  const writer = openStreamWriter({ ...options, onStalled: () => finish(writer.destroy) })
  const feeds = new Map<string, Feed>()
  /** The runs that it follows from the beginning; they wait until the page has passed the tail. */
  const waiting = new Map(place.streams.map((wanted) => [followKey(wanted), wanted]))
  let hasBegun = false
  /** The position whose cursor the page was sent last while nothing came. */
  let sentPosition = place.after
  let isCatchingUp = false
  let over = false
  let stopComment = () => {}

  function open<Mark>(
    key: string,
    parts: Pick<FeedOptions<Mark>, 'channel' | 'view' | 'after' | 'onPass' | 'onOver'>,
  ): Feed {
    const feed = openFeed({ journals, limits, writer, onBehind: () => void catchUp(), ...parts })
    feeds.set(key, feed)
    void catchUp()
    return feed
  }

  /** A run that begins is followed once; what had to be replayed begins again where that was asked for. */
  function follow(wanted: Follow) {
    const key = followKey(wanted)
    if (wanted.after === null && (waiting.has(key) || feeds.has(key))) return
    announce(wanted)
    if (hasBegun) followFrames(key, wanted)
    else waiting.set(key, wanted)
  }

  /** The page learns its place before the cursor moves past what gave it, so that a cut between loses neither. */
  function announce({ windowUuid, streamId, after }: Follow) {
    writer.write(Buffer.from(stream(windowUuid, streamId, after ?? 0)))
  }

  function beginWaiting() {
    if (hasBegun) return
    hasBegun = true
    for (const [key, wanted] of waiting) followFrames(key, wanted)
  }

  function followFrames(key: string, { windowUuid, streamId, after }: Follow) {
    const from = after ?? 0
    feeds.get(key)?.close()
    const feed = open(key, {
      channel: channels.of(frameJournal(streamId), from),
      view: frameView(windowUuid, streamId),
      after: from,
      onPass({ marks }) {
        if (marks.length === 0) return
        feed.close()
        feeds.delete(key)
      },
      onOver(why) {
        feeds.delete(key)
        // Frames that are gone nobody can send; the client learns it where it asks for them.
        if (why === 'failed') eventStream.end()
      },
    })
  }

  /** Reads what the channels offered before this stream was opened, or while it was full: one journal after another. */
  async function catchUp() {
    if (isCatchingUp) return
    isCatchingUp = true
    const behind = () => (over || writer.full ? [] : [...feeds.values()].filter((feed) => feed.behind))
    try {
      for (let feedsBehind = behind(); feedsBehind.length > 0; feedsBehind = behind()) {
        for (const feed of feedsBehind) {
          await catchUpQueue()
          if (feed.behind && !writer.full) await feed.catchUp()
        }
        writer.flush()
      }
    } catch (err) {
      log.warn({ err, user: userId }, 'a journal could not be read')
      eventStream.end()
    } finally {
      isCatchingUp = false
    }
  }

  function comment() {
    stopComment = clock.setTimer(() => {
      if (!writer.full) {
        const { position } = userFeed
        writer.write(
          Buffer.from(position === sentPosition ? COMMENT : COMMENT + moved(cursors.write(position))),
        )
        sentPosition = position
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

  const eventStream: EventStream = {
    onDrain() {
      writer.onDrain()
      void catchUp()
    },
    onClose: () => finish(writer.detach),
    end: () => finish(writer.end),
    leave() {
      writer.write(Buffer.from(retryAtOnce))
      writer.flush()
      finish(writer.end)
    },
  }
  comment()
  writer.write(Buffer.from(place.opening))
  for (const wanted of place.streams) announce(wanted)
  const userFeed = open('', {
    channel: channels.of(userJournal(userId), place.tail),
    view: eventView(filter, cursors),
    after: place.after,
    onPass({ marks, until }) {
      for (const wanted of marks) follow(wanted)
      if (until >= place.tail) beginWaiting()
    },
    // Each page is judged by its own cursor when it connects again: that is the one place for a `reset`.
    onOver: eventStream.end,
  })
  if (place.after >= place.tail) beginWaiting()
  return eventStream
}
