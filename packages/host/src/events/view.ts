import type { Entry } from '@svc/state'
import type { Cursors } from '../access/audit/cursors.ts'
import { type EventHeader, eventHeaderOf, type Follow, followOf, LOST } from './item.ts'
import type { EventsQuery } from './query.ts'
import { frameHead, frameTail, message, moved, reset } from './sse.ts'

/** What a page gets of the entries of one journal. */
export interface View<Mark> {
  /** The same for views that render the same. */
  readonly key: string
  /** The text that the page gets for an entry; empty: nothing. */
  textOf(entry: Entry): string
  /** What the page's stream itself has to do when it passes an entry. */
  markOf(entry: Entry): Mark | null
}

/** Entries as a view renders them. */
export interface Rendered<Mark> {
  readonly bytes: Uint8Array
  readonly marks: readonly Mark[]
  /** The seq of the last of them. */
  readonly until: number
}

/** Renders entries; with a `room` in bytes, as many as fit in, and at least one that the page gets. */
export function render<Mark>(entries: readonly Entry[], view: View<Mark>, room?: number): Rendered<Mark> {
  let text = ''
  let size = 0
  let until = 0
  const marks: Mark[] = []
  for (const entry of entries) {
    const next = view.textOf(entry)
    if (room !== undefined) size += Buffer.byteLength(next)
    if (room !== undefined && size > room && text !== '') break
    text += next
    until = entry.seq
    const mark = view.markOf(entry)
    if (mark !== null) marks.push(mark)
  }
  return { bytes: Buffer.from(text), marks, until }
}

/** What is behind the payload of a frame. */
const [OPEN, DONE] = [frameTail(',"done":false}'), frameTail(',"done":true}')]

/** The journal of a run's frames, for a window. Its mark: the stream is done. */
export function frameView(windowUuid: string, streamId: string): View<'done'> {
  const head = frameHead(
    `{"type":"rpc.stream","window_uuid":"${windowUuid}","stream_id":"${streamId}","seq":`,
  )
  return {
    key: windowUuid,
    textOf: ({ seq, item }) => `${head}${seq},"payload":${item}${isEnd(item) ? DONE : OPEN}`,
    markOf: ({ item }) => (isEnd(item) ? 'done' : null),
  }
}

/** Whether a frame is the last one of its run. */
export const isEnd = (payload: string): boolean => payload.startsWith('{"event":"end"')

/**
 * The journal of a user, for a page that wants what `filter` wants. Of a `Follow` the page only learns the cursor
 * behind it: the events from there on were told already, and are not replayed when the page connects again.
 */
export const eventView = (filter: Filter, cursors: Cursors): View<Follow> => new EventView(filter, cursors)

/** A class, because a host has one for each page that is open: its methods are made once. */
class EventView implements View<Follow> {
  readonly #filter: Filter
  readonly #cursors: Cursors
  /** The heading that was judged last: events of one kind and window often come in rows. */
  #judged = LOST
  #isWanted = false

  constructor(filter: Filter, cursors: Cursors) {
    this.#filter = filter
    this.#cursors = cursors
  }

  get key(): string {
    return this.#filter.key
  }

  textOf({ seq, item }: Entry): string {
    if (item === LOST) return reset(this.#cursors.write(seq))
    if (!this.#wants(item)) return ''
    return followOf(item) ? moved(this.#cursors.write(seq)) : message(this.#cursors.write(seq), item)
  }

  markOf({ item }: Entry): Follow | null {
    const follow = followOf(item)
    return follow && this.#filter.wants({ type: 'rpc.stream', windowUuid: follow.windowUuid }) ? follow : null
  }

  #wants(item: string): boolean {
    // Of so long a text, startsWith takes four times as long.
    if (item.slice(0, this.#judged.length) === this.#judged) return this.#isWanted
    const heading = eventHeaderOf(item)
    if (!heading) return false
    this.#judged = heading.text
    this.#isWanted = this.#filter.wants(heading)
    return this.#isWanted
  }
}

/**
 * Which events a page wants. A journal holds its user's events only, so a window of somebody else, a closed one
 * and one that never was are alike: nothing comes of them.
 */
export interface Filter {
  /** The same for pages that want the same. */
  readonly key: string
  wants(heading: EventHeader): boolean
}

/** Makes the filter of a query. */
export const filterOf = ({ windows, jobs }: Pick<EventsQuery, 'windows' | 'jobs'>): Filter =>
  new QueryFilter([...new Set(windows)].sort(), jobs)

/** A class, because a host has one for each page that is open: its methods are made once. */
class QueryFilter implements Filter {
  /** The windows between commas, which are in no id: what is looked through is one text instead of a set. */
  readonly key: string

  constructor(windows: readonly string[], jobs: boolean) {
    this.key = `,${windows.join()},${jobs ? JOBS : ''}`
  }

  wants({ type, windowUuid }: EventHeader): boolean {
    if (windowUuid === null) return type === 'tool_job' && this.key.endsWith(JOBS)
    return this.key.includes(`,${windowUuid},`)
  }
}

const JOBS = '+jobs'
