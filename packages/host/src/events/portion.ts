import type { Entry } from '../bus/port.ts'
import type { Cursors } from './cursors.ts'
import type { Filter } from './filter.ts'
import { headingOf, LOST } from './item.ts'
import { message, reset } from './sse.ts'

/** What came into a journal at one time, ready for readers: one building of bytes for all that want the same. */
export interface Portion {
  /** The seq before the first of its items. */
  readonly after: number
  /** The seq of its last item. */
  readonly until: number
  bytesFor(filter: Filter): Uint8Array
}

/** The text of an entry for a reader; `null` when the filter does not want it. */
export function textOf({ seq, item }: Entry, filter: Filter, cursors: Cursors): string | null {
  if (item === LOST) return reset(cursors.write(seq))
  const heading = headingOf(item)
  return heading && filter.wants(heading) ? message(cursors.write(seq), item) : null
}

/** Makes a portion of at least one entry. */
export function portionOf(after: number, entries: readonly Entry[], cursors: Cursors): Portion {
  const made = new Map<string, Uint8Array>()
  return {
    after,
    until: entries.at(-1)?.seq ?? after,
    bytesFor(filter) {
      const known = made.get(filter.key)
      if (known) return known
      let text = ''
      for (const entry of entries) text += textOf(entry, filter, cursors) ?? ''
      const bytes = Buffer.from(text)
      made.set(filter.key, bytes)
      return bytes
    },
  }
}
