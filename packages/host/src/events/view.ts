import type { Entry } from '@svc/state'
import type { Cursors } from '../access/audit/cursors.ts'
import { type EventHeader, eventHeaderOf, type Follow, followOf, LOST } from './item.ts'
import type { EventsQuery } from './query.ts'
import { frame, message, moved, reset } from './sse.ts'

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

/** The journal of a run's frames, for a window. Its mark: the stream is done. */
export function frameView(windowUuid: string, streamId: string): View<'done'> {
  const head = `{"type":"rpc.stream","window_uuid":"${windowUuid}","stream_id":"${streamId}","seq":`
  return {
    key: windowUuid,
    textOf: ({ seq, item }) => frame(`${head}${seq},"payload":${item},"done":${isEnd(item)}}`),
    markOf: ({ item }) => (isEnd(item) ? 'done' : null),
  }
}

/** Whether a frame is the last one of its run. */
export const isEnd = (payload: string): boolean => payload.startsWith('{"event":"end"')

/**
 * The journal of a user, for a page that wants what `filter` wants. Of a `Follow` the page only learns the cursor
 * behind it: the events from there on were told already, and are not replayed when the page connects again.
 */
export function eventView(filter: Filter, cursors: Cursors): View<Follow> {
  /** The heading that was judged last: events of one kind and window often come in rows. */
  let judged = LOST
  let wanted = false
  const wants = (item: string) => {
    // Of so long a text, startsWith takes four times as long.
    if (item.slice(0, judged.length) === judged) return wanted
    const heading = eventHeaderOf(item)
    if (!heading) return false
    judged = heading.text
    wanted = filter.wants(heading)
    return wanted
  }
  return {
    key: filter.key,
    textOf({ seq, item }) {
      if (item === LOST) return reset(cursors.write(seq))
      if (!wants(item)) return ''
      return followOf(item) ? moved(cursors.write(seq)) : message(cursors.write(seq), item)
    },
    markOf({ item }) {
      const follow = followOf(item)
      return follow && filter.wants({ type: 'rpc.stream', windowUuid: follow.windowUuid }) ? follow : null
    },
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
export function filterOf({ windows, jobs }: Pick<EventsQuery, 'windows' | 'jobs'>): Filter {
  const wanted = new Set(windows)
  return {
    key: [...wanted].sort().join(',') + (jobs ? '+jobs' : ''),
    wants: ({ type, windowUuid }) =>
      windowUuid === null ? jobs && type === 'tool_job' : wanted.has(windowUuid),
  }
}
