import { canonicalJson } from '@svc/contract/digest'

/** Where two values differ, as readable paths such as `manifest.tools.forecast.description`. */
export interface Changes {
  /** What is new. */
  readonly added: readonly string[]
  /** What is gone. */
  readonly removed: readonly string[]
  /** What is different. */
  readonly changed: readonly string[]
  /** There are more places than are told. */
  readonly truncated: boolean
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

/** The name by which an item of a list is told: its own, else its place. */
const keyOf = (item: unknown, at: number): string =>
  isObject(item) && 'name' in item && typeof item.name === 'string' ? item.name : `[${at}]`

/** The parts of an object or list by name; `null` for what has no parts. Two of one name make it one whole. */
function partsOf(value: unknown): ReadonlyMap<string, unknown> | null {
  if (!isObject(value)) return null
  const entries = Array.isArray(value)
    ? value.map((item, at): [string, unknown] => [keyOf(item, at), item])
    : Object.entries(value).filter(([, item]) => item !== undefined)
  const parts = new Map(entries)
  return parts.size === entries.length ? parts : null
}

/** Tells the difference of two JSON values, at most `max` places of it. Items of a list that have a name go by it. */
export function changesOf(before: unknown, after: unknown, max: number): Changes {
  const found = { added: [] as string[], removed: [] as string[], changed: [] as string[] }
  let count = 0
  const note = (kind: keyof typeof found, path: string) => {
    if (count < max) found[kind].push(path)
    count += 1
  }
  function walk(a: unknown, b: unknown, path: string) {
    if (canonicalJson(a) === canonicalJson(b)) return
    const [from, to] = [partsOf(a), partsOf(b)]
    if (!from || !to || Array.isArray(a) !== Array.isArray(b)) return note('changed', path)
    const inner = (name: string) => (path === '' ? name : `${path}.${name}`)
    const countBefore = count
    for (const name of from.keys()) if (!to.has(name)) note('removed', inner(name))
    for (const [name, item] of to)
      if (from.has(name)) walk(from.get(name), item, inner(name))
      else note('added', inner(name))
    // The same parts in another order.
    if (count === countBefore) note('changed', path)
  }
  walk(before, after, '')
  return { ...found, truncated: count > max }
}
