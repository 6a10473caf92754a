import type { Batch } from './port.ts'

/** What a driver knows of a poke: the items that were appended, or that the journal was dropped with its numbering. */
export type News = Batch | 'dropped'

/** A cursor that no journal can resume: its read is a reset. */
const NO_CURSOR = -1

/** What following needs of a driver. */
export interface Source {
  /** Reads what comes after a cursor. */
  read(after: number): Promise<Batch>
  /**
   * Calls `poke` whenever there may be more to read, with the items if it has them: a follower that waits for just these
   * reads nothing. It says `dropped` where the journal was: the new one may be as long as the cursor by the next read.
   * What it returns ends that.
   */
  listen(poke: (news?: News) => void): () => void
  signal?: AbortSignal | undefined
}

/**
 * Follows a journal from a cursor, for any driver: reads until nothing is left, then waits for a poke. What comes while
 * a batch is in use is read after it, so that a slow user of the batches holds one of them.
 */
export type Follow = (after: number, source: Source) => AsyncIterable<Batch>

/** Returns what follows the journals of a bus until `closing` aborts. */
export function followUntil(closing: AbortSignal): Follow {
  const followers = new Followers(closing)
  return (after, source) => ({
    [Symbol.asyncIterator]: () => new Follower(after, source, followers),
  })
}

/** The followers that end with a bus: a listener for each would be looked up among those of all others. */
class Followers {
  readonly closing: AbortSignal
  readonly #all = new Set<Follower>()

  constructor(closing: AbortSignal) {
    this.closing = closing
  }

  add(follower: Follower): void {
    if (this.#all.size === 0) this.closing.addEventListener('abort', this)
    this.#all.add(follower)
  }

  delete(follower: Follower): void {
    if (this.#all.delete(follower) && this.#all.size === 0) this.closing.removeEventListener('abort', this)
  }

  handleEvent(): void {
    for (const follower of this.#all) follower.wake()
  }
}

const OVER: IteratorReturnResult<undefined> = { done: true, value: undefined }

/** A class, because a host has one for each page that is open: its methods are made once. */
class Follower implements AsyncIterator<Batch, undefined> {
  readonly #source: Source
  readonly #others: Followers
  #cursor: number
  #isOver = false
  #isPoked = true
  #wasDropped = false
  #handed: Batch | null = null
  /** Set while it waits for a poke. */
  #resume: (() => void) | null = null
  #stop: (() => void) | null = null

  constructor(after: number, source: Source, others: Followers) {
    this.#cursor = after
    this.#source = source
    this.#others = others
  }

  async next(): Promise<IteratorResult<Batch, undefined>> {
    if (!this.#stop && !this.#isOver) this.#begin()
    try {
      while (!this.#hasEnded()) {
        const batch = this.#handed ?? (this.#isPoked ? await this.#read() : null)
        this.#handed = null
        if (batch) {
          this.#cursor = batch.items.at(-1)?.seq ?? batch.tail
          return { done: false, value: batch }
        }
        if (!this.#isPoked) await new Promise<void>((resolve) => this.#wait(resolve))
      }
    } catch (error) {
      this.#finish()
      throw error
    }
    this.#finish()
    return OVER
  }

  async return(): Promise<IteratorResult<Batch, undefined>> {
    this.#finish()
    this.wake()
    return OVER
  }

  /** Has it see that its signal or the bus has ended. */
  wake(): void {
    this.#poke()
  }

  handleEvent(): void {
    this.#poke()
  }

  #begin(): void {
    const { listen, signal } = this.#source
    this.#stop = listen((news) => this.#poke(news))
    signal?.addEventListener('abort', this)
    this.#others.add(this)
  }

  #finish(): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#stop?.()
    this.#source.signal?.removeEventListener('abort', this)
    this.#others.delete(this)
  }

  #hasEnded(): boolean {
    return this.#isOver || this.#others.closing.aborted || this.#source.signal?.aborted === true
  }

  #wait(resume: () => void): void {
    this.#resume = resume
  }

  #poke(news?: News): void {
    const resume = this.#resume
    this.#resume = null
    if (news === 'dropped') this.#wasDropped = true
    if (resume && news !== 'dropped' && news?.items[0]?.seq === this.#cursor + 1) this.#handed = news
    else this.#isPoked = true
    resume?.()
  }

  /** What is left to read; `null`: nothing. */
  async #read(): Promise<Batch | null> {
    this.#isPoked = false
    // Who has read nothing loses nothing by a drop.
    const from = this.#wasDropped && this.#cursor > 0 ? NO_CURSOR : this.#cursor
    this.#wasDropped = false
    const batch = await this.#source.read(from)
    if (batch.items.length === 0 && !batch.reset) return null
    this.#isPoked = true
    return batch
  }
}
