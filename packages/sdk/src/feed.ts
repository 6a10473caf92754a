/** A list that grows and ends; whoever comes, whenever, gets all of it from the beginning. */
export interface Feed<Item> {
  readonly items: readonly Item[]
  /** Adds an item; nothing follows the `last` one. */
  add(item: Item, last: boolean): void
  /**
   * Reads what `pick` takes from each item, in order. What it throws ends the reading. Each loop over it begins again;
   * leaving one lets it go, even while it waits.
   */
  read<Part>(pick: (item: Item) => readonly Part[]): AsyncIterable<Part>
  /**
   * Calls back for each item, what was there before first, in a microtask. Listeners that were added in one tick get
   * the items together: each item goes to all of them before the next one does. Returns how to unsubscribe.
   */
  subscribe(listener: (item: Item) => void): () => void
}

/** Makes one that is empty. */
export function createFeed<Item>(): Feed<Item> {
  const items: Item[] = []
  const listeners = new Set<(item: Item) => void>()
  /** Those who came in this tick. */
  let joining: ((item: Item) => void)[] = []
  let over = false
  let waiting: (() => void)[] = []

  function wake(): void {
    const woken = waiting
    waiting = []
    for (const go of woken) go()
  }

  function join(): void {
    const joined = joining
    joining = []
    for (const item of items) for (const call of joined) call(item)
    for (const call of joined) listeners.add(call)
  }

  function iterate<Part>(pick: (item: Item) => readonly Part[]): AsyncIterator<Part, void> {
    const parts: Part[] = []
    let at = 0
    let left = false
    return {
      async next() {
        while (parts.length === 0) {
          if (left || (over && at === items.length)) return { value: undefined, done: true }
          if (at < items.length) parts.push(...pick(items[at++] as Item))
          else await new Promise<void>((go) => waiting.push(go))
        }
        return { value: parts.shift() as Part, done: false }
      },
      async return() {
        left = true
        parts.length = 0
        wake()
        return { value: undefined, done: true }
      },
    }
  }

  return {
    items,
    add(item, last) {
      items.push(item)
      over = last
      for (const call of listeners) call(item)
      wake()
    },
    read: (pick) => ({ [Symbol.asyncIterator]: () => iterate(pick) }),
    subscribe(listener) {
      let stopped = false
      const call = (item: Item) => {
        if (!stopped) listener(item)
      }
      if (joining.push(call) === 1) queueMicrotask(join)
      return () => {
        stopped = true
        listeners.delete(call)
      }
    },
  }
}
