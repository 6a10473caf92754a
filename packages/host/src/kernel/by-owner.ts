/** Opens a list of what each owner has open, such as the event streams of a user: none is looked for among those of others. */
export function openByOwner<Item>() {
  const groups = new Map<string, Set<Item>>()
  return {
    add(owner: string, item: Item): void {
      const own = groups.get(owner) ?? new Set()
      groups.set(owner, own.add(item))
    },
    /** Removes it; twice is harmless. */
    remove(owner: string, item: Item): void {
      const own = groups.get(owner)
      if (own?.delete(item) && own.size === 0) groups.delete(owner)
    },
    /** Those of an owner, in the order in which they were added. */
    of: (owner: string): readonly Item[] => [...(groups.get(owner) ?? [])],
    /** How many an owner has. */
    count: (owner: string): number => groups.get(owner)?.size ?? 0,
    /** Those of all owners. */
    all: (): readonly Item[] => [...groups.values()].flatMap((own) => [...own]),
  }
}

/** What owners have open. */
export type ByOwner<Item> = ReturnType<typeof openByOwner<Item>>
