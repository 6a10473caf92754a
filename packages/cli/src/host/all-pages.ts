/** A page of a list, and the cursor of the next. */
interface ListPage<Entry> {
  readonly entries: readonly Entry[]
  readonly next_cursor: string | null
}

/** Reads all pages of a list. */
export async function allPages<Entry>(
  read: (cursor: string | undefined) => Promise<ListPage<Entry>>,
): Promise<Entry[]> {
  const all: Entry[] = []
  for (let cursor: string | undefined; ; ) {
    const page: ListPage<Entry> = await read(cursor)
    all.push(...page.entries)
    if (page.next_cursor === null) return all
    cursor = page.next_cursor
  }
}
