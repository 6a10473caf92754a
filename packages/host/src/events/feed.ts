import type { Limits } from '@svc/contract'
import { pause } from '@svc/node'
import type { Journals } from '@svc/state'
import type { Channel, ChannelEnd, SharedBatch, Subscriber } from './channel.ts'
import type { StreamWriter } from './stream-writer.ts'
import { type Rendered, render, type View } from './view.ts'

/** One journal as one page reads it: a subscriber of its channel that can fall behind and catch up by itself. */
export interface Feed extends Subscriber {
  /** What its stream knows it by. */
  readonly key: string
  /** The seq up to which the page was written to. */
  readonly position: number
  /** Whether its channel offered more than there was room for. */
  readonly behind: boolean
  /** Reads from the journal once, and writes as much as there is room for. */
  catchUp(): Promise<void>
  /** Unsubscribes; twice is harmless. */
  close(): void
}

/** The stream that a feed belongs to. */
export interface FeedOwner<Mark> {
  readonly journals: Pick<Journals, 'read'>
  readonly limits: Limits
  readonly writer: StreamWriter
  /** Called with what is about to be written. */
  onPass(feed: Feed, rendered: Rendered<Mark>): void
  /** One of its feeds fell behind. */
  onBehind(): void
  /** The journal of a feed cannot be followed any further; the feed is closed already. */
  onOver(feed: Feed, why: ChannelEnd): void
}

/** A feed. A class, because a host has one for each page that is open: its methods are made once. */
export class JournalFeed<Mark> implements Feed {
  readonly key: string
  position: number
  readonly #owner: FeedOwner<Mark>
  readonly #channel: Channel
  readonly #view: View<Mark>
  #isOver = false

  /** Subscribes to the channel; `after` is the seq that the page has seen. */
  constructor(key: string, owner: FeedOwner<Mark>, channel: Channel, view: View<Mark>, after: number) {
    this.key = key
    this.position = after
    this.#owner = owner
    this.#channel = channel
    this.#view = view
    channel.subscribe(this)
  }

  get behind(): boolean {
    return !this.#isOver && this.position < this.#channel.position
  }

  offer(batch: SharedBatch): void {
    if (batch.until <= this.position) return
    const rendered = batch.after === this.position ? batch.rendered(this.#view) : null
    if (rendered && rendered.bytes.length <= this.#owner.writer.room) this.#pass(rendered)
    else this.#owner.onBehind()
  }

  async catchUp(): Promise<void> {
    const { journals, limits, writer } = this.#owner
    const { items, reset } = await journals.read(this.#channel.journal, this.position, {
      limit: limits.EVENT_READ_MAX,
    })
    if (this.#isOver) return
    if (reset || items.length === 0) return this.end('lost')
    const rendered = render(items, this.#view, writer.room)
    // One entry above the room waits until nothing else does.
    if (rendered.bytes.length > writer.room) writer.flush()
    if (!writer.full) this.#pass(rendered)
  }

  end(why: ChannelEnd): void {
    if (this.#isOver) return
    this.close()
    this.#owner.onOver(this, why)
  }

  close(): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#channel.unsubscribe(this)
  }

  #pass(rendered: Rendered<Mark>): void {
    this.position = rendered.until
    this.#owner.onPass(this, rendered)
    if (rendered.bytes.length > 0) this.#owner.writer.write(rendered.bytes)
  }
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
