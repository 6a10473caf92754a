import type { Cursors } from '../access/audit/cursors.ts'
import type { Filter } from './filter.ts'
import { type Follow, followOf, headingOf, LOST } from './item.ts'
import type { Lens } from './portion.ts'
import { message, moved, reset } from './sse.ts'

/**
 * The journal of a user, as a page gets it that wants what `filter` wants. Of a `Follow` the page only learns the
 * cursor behind it: what it hears from there on was followed already, and is not replayed when it connects again.
 */
export function eventLens(filter: Filter, cursors: Cursors): Lens<Follow> {
  /** The heading that was judged last: events of one kind and window often come in rows. */
  let judged = LOST
  let wanted = false
  const wants = (item: string) => {
    // Of so long a text, startsWith takes four times as long.
    if (item.slice(0, judged.length) === judged) return wanted
    const heading = headingOf(item)
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
