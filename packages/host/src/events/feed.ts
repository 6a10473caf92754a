import type { Limits } from '@svc/contract'
import type { Journals } from '@svc/state'
import type { Channel, Member, Over } from './channel.ts'
import type { Outlet } from './outlet.ts'
import { type Lens, type ShownEntries, show } from './portion.ts'

/** One journal as one reader reads it: a member of its channel that can fall behind and catch up by itself. */
export interface Feed extends Member {
  /** The seq that its page was written up to. */
  readonly position: number
  /** Whether its channel had more to offer than the page could be written. */
  readonly behind: boolean
  /** Reads from the journal once, and writes as much as there is room for. */
  catchUp(): Promise<void>
  /** Leaves the channel; twice is harmless. */
  close(): void
}

/** What a feed is made of. */
export interface FeedOptions<Mark> {
  readonly journals: Journals
  readonly limits: Limits
  readonly channel: Channel
  readonly lens: Lens<Mark>
  /** The seq that its page has seen. */
  readonly after: number
  readonly outlet: Outlet
  /** Told of what is about to be written. */
  readonly onPass: (shown: ShownEntries<Mark>) => void
  /** It fell behind. */
  readonly onBehind: () => void
  /** Its journal goes on no further; it is closed already. */
  readonly onOver: (why: Over) => void
}

/** Opens a feed. */
export function openFeed<Mark>(options: FeedOptions<Mark>): Feed {
  const { journals, limits, channel, lens, outlet, onPass, onBehind, onOver } = options
  let position = options.after
  let over = false

  const feed: Feed = {
    get position() {
      return position
    },
    get behind() {
      return !over && position < channel.position
    },
    offer(portion) {
      if (portion.until <= position) return
      const shown = portion.after === position ? portion.shown(lens) : null
      if (shown && shown.bytes.length <= outlet.room) pass(shown)
      else onBehind()
    },
    async catchUp() {
      const { items, reset } = await journals.read(channel.journal, position, {
        limit: limits.EVENT_READ_MAX,
      })
      if (over) return
      if (reset || items.length === 0) return feed.end('lost')
      const shown = show(items, lens, outlet.room)
      // One entry above the room waits until nothing else does.
      if (shown.bytes.length > outlet.room) outlet.flush()
      if (!outlet.full) pass(shown)
    },
    end(why) {
      if (over) return
      feed.close()
      onOver(why)
    },
    close() {
      if (over) return
      over = true
      channel.leave(feed)
    },
  }

  function pass(shown: ShownEntries<Mark>) {
    position = shown.until
    onPass(shown)
    if (shown.bytes.length > 0) outlet.write(shown.bytes)
  }

  channel.join(feed)
  return feed
}
