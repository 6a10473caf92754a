/**
 * What two events of one key are ordered by: the revision of their window, or how far their job is. The names in it are
 * ours alone, so it is read without parsing what follows.
 */
const ORDER =
  /^\{"type":"([^"\\]*)","window_uuid":(?:"([^"\\]*)"|null),(?:"revision":(\d+)|"job_id":"([^"\\]*)","tool_id":"(?:[^"\\]|\\.)*","state":"(\w+)")/
const ACTIVE_STATES = ['queued', 'running']
/** The events whose order is kept in mind: far more than a user has windows and jobs under way. */
const KEYS_MAX = 1_000

interface Order {
  readonly key: string
  readonly number: number
  /** What comes with the same number is the same event again. */
  readonly isOnce: boolean
  /** An event behind which nothing of this kind comes any more. */
  readonly last: string | null
}

function orderOf(item: string): Order | null {
  const [, type = '', windowUuid = '', revision, jobId, state = ''] = ORDER.exec(item) ?? []
  if (revision !== undefined) {
    const last = type === 'close_view' ? null : `close_view ${windowUuid}`
    return { key: `${type} ${windowUuid}`, number: Number(revision), isOnce: true, last }
  }
  if (jobId === undefined) return null
  const at = ACTIVE_STATES.indexOf(state)
  const number = at === -1 ? ACTIVE_STATES.length : at
  return { key: `${type} ${windowUuid} ${jobId}`, number, isOnce: false, last: null }
}

/** Whether an item has a place among others of its kind. */
export const isOrdered = (item: string): boolean => ORDER.test(item)

/**
 * How far back a host reads what others wrote before its first event: far more than they write while that is on its way.
 * One that was held up reads all.
 */
const FIRST_LOOK_ITEMS = 200

/** A part of a journal. */
interface Part {
  readonly items: readonly { readonly seq: number; readonly item: string }[]
}

/** The order of a journal that other hosts write to as well. `read` gives a part of it, from behind a number on. */
export function openSharedOrder(read: (after: number) => Promise<Part>) {
  const order = openOrder()
  /** Up to where it knows what others wrote. */
  let known = 0
  return {
    current: order.current,
    /** Learns what others wrote up to `tail`. `isPrompt`: what this host is to write has not waited. */
    async catchUp(tail: number, isPrompt: boolean): Promise<void> {
      if (known === 0 && isPrompt) known = Math.max(0, tail - FIRST_LOOK_ITEMS)
      while (known < tail) {
        const { items } = await read(known)
        order.note(items.map(({ item }) => item))
        known = items.at(-1)?.seq ?? tail
      }
    },
    /** Notes what this host wrote. */
    note: order.note,
    /** The journal, which ended at `before`, ends at `tail`. `isOwn`: with what this host wrote, and nothing else came. */
    moved(before: number, tail: number, isOwn: boolean): void {
      if (isOwn && known === before) known = tail
      // The journal begins anew where its service came back without it.
      if (tail < known) known = 0
    },
  }
}

/**
 * Keeps the events of a journal in the order of what they are about, though several hosts write it: what is older than an
 * event that is in the journal is left out.
 */
export function openOrder() {
  const newest = new Map<string, number>()

  function isLate({ key, number, isOnce, last }: Order, among: ReadonlyMap<string, number>): boolean {
    if (last !== null && among.has(last)) return true
    const known = among.get(key)
    return known !== undefined && (isOnce ? known >= number : known > number)
  }

  return {
    /** Those of the items that nothing newer is written of. */
    current(items: readonly string[]): readonly string[] {
      const written = new Map<string, number>()
      return items.filter((item) => {
        const order = orderOf(item)
        if (!order) return true
        if (isLate(order, newest) || isLate(order, written)) return false
        written.set(order.key, order.number)
        return true
      })
    },
    /** Notes what is in the journal. */
    note(items: readonly string[]): void {
      for (const item of items) {
        const order = orderOf(item)
        if (!order) continue
        const { key, number } = order
        const known = newest.get(key) ?? number
        newest.delete(key)
        newest.set(key, Math.max(known, number))
      }
      for (const key of newest.keys()) {
        if (newest.size <= KEYS_MAX) break
        newest.delete(key)
      }
    },
  }
}
