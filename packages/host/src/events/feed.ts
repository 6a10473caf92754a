import type { Limits } from '@svc/contract'
import { pause } from '@svc/node'
import type { Journals } from '@svc/state'
import type { Channel, ChannelEnd, Subscriber } from './channel.ts'
import type { StreamWriter } from './stream-writer.ts'
import { type Rendered, render, type View } from './view.ts'

/** One journal as one page reads it: a subscriber of its channel that can fall behind and catch up by itself. */
export interface Feed extends Subscriber {
  /** The seq up to which the page was written to. */
  readonly position: number
  /** Whether its channel offered more than there was room for. */
  readonly behind: boolean
  /** Reads from the journal once, and writes as much as there is room for. */
  catchUp(): Promise<void>
  /** Unsubscribes; twice is harmless. */
  close(): void
}

/** What a feed is made of. */
export interface FeedOptions<Mark> {
  readonly journals: Journals
  readonly limits: Limits
  readonly channel: Channel
  readonly view: View<Mark>
  /** The seq that its page has seen. */
  readonly after: number
  readonly writer: StreamWriter
  /** Called with what is about to be written. */
  readonly onPass: (rendered: Rendered<Mark>) => void
  /** It fell behind. */
  readonly onBehind: () => void
  /** Its journal cannot be followed any further; the feed is closed already. */
  readonly onOver: (why: ChannelEnd) => void
}

/** Opens a feed. */
export function openFeed<Mark>(options: FeedOptions<Mark>): Feed {
  const { journals, limits, channel, view, writer, onPass, onBehind, onOver } = options
  let position = options.after
  let over = false

  const feed: Feed = {
    get position() {
      return position
    },
    get behind() {
      return !over && position < channel.position
    },
    offer(batch) {
      if (batch.until <= position) return
      const rendered = batch.after === position ? batch.rendered(view) : null
      if (rendered && rendered.bytes.length <= writer.room) pass(rendered)
      else onBehind()
    },
    async catchUp() {
      const { items, reset } = await journals.read(channel.journal, position, {
        limit: limits.EVENT_READ_MAX,
      })
      if (over) return
      if (reset || items.length === 0) return feed.end('lost')
      const rendered = render(items, view, writer.room)
      // One entry above the room waits until nothing else does.
      if (rendered.bytes.length > writer.room) writer.flush()
      if (!writer.full) pass(rendered)
    },
    end(why) {
      if (over) return
      feed.close()
      onOver(why)
    },
    close() {
      if (over) return
      over = true
      channel.unsubscribe(feed)
    },
  }

  function pass(rendered: Rendered<Mark>) {
    position = rendered.until
    onPass(rendered)
    if (rendered.bytes.length > 0) writer.write(rendered.bytes)
  }

  channel.subscribe(feed)
  return feed
}

/** Waits until it is the caller's turn to catch up. */
export type CatchUpQueue = () => Promise<void>

/** Gives each who asks a turn of the event loop of its own, in the order in which they ask. */
export function openCatchUpQueue(): CatchUpQueue {
  let last = Promise.resolve()
  return () => {
    last = last.then(pause)
    return last
  }
}
