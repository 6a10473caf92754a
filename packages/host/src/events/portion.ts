import type { Entry } from '@svc/state'

/** What a reader makes of the entries of one journal. */
export interface Lens<Mark> {
  /** The same for readers that want the same. */
  readonly key: string
  /** What the page gets of an entry; empty: nothing. */
  textOf(entry: Entry): string
  /** What the reader itself has to do when it passes an entry. */
  markOf(entry: Entry): Mark | null
}

/** Entries as one lens shows them. */
export interface ShownEntries<Mark> {
  readonly bytes: Uint8Array
  readonly marks: readonly Mark[]
  /** The seq of the last of them. */
  readonly until: number
}

/** What came into a journal at one time, ready for readers: one building of bytes for all that want the same. */
export interface Portion {
  /** The seq before the first of its items. */
  readonly after: number
  /** The seq of its last item. */
  readonly until: number
  /** Readers of one journal whose lenses have one key get the same bytes. */
  shown<Mark>(lens: Lens<Mark>): ShownEntries<Mark>
}

/** Makes a portion of at least one entry. */
export function portionOf(after: number, entries: readonly Entry[]): Portion {
  const made = new Map<string, ShownEntries<unknown>>()
  return {
    after,
    until: entries.at(-1)?.seq ?? after,
    shown<Mark>(lens: Lens<Mark>) {
      const shown = made.get(lens.key) ?? show(entries, lens)
      made.set(lens.key, shown)
      return shown as ShownEntries<Mark>
    },
  }
}

/** Shows entries in one piece; with a `room` in bytes, as many as it holds, and at least one that the page gets. */
export function show<Mark>(entries: readonly Entry[], lens: Lens<Mark>, room?: number): ShownEntries<Mark> {
  let text = ''
  let size = 0
  let until = 0
  const marks: Mark[] = []
  for (const entry of entries) {
    const next = lens.textOf(entry)
    if (room !== undefined) size += Buffer.byteLength(next)
    if (room !== undefined && size > room && text !== '') break
    text += next
    until = entry.seq
    const mark = lens.markOf(entry)
    if (mark !== null) marks.push(mark)
  }
  return { bytes: Buffer.from(text), marks, until }
}
