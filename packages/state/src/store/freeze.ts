import { inTurns } from '@svc/node'

/** Deeper than this a value is copied through its text, which refuses a circle and says so. */
const DEEP = 64
/** Fields that are copied before others have their turn. */
const TURN_FIELDS = 500
/** Large objects that are frozen to the bottom already: they are stored as they are, in as many rows as have them. */
const frozen = new WeakSet<object>()

const dropped = (value: unknown) =>
  value === undefined || typeof value === 'function' || typeof value === 'symbol'

const isItself = (value: unknown) => typeof value === 'string' || value === null || typeof value === 'boolean'

/** Whether the fields of an object are all that JSON would write of it. */
function isPlain(value: object): boolean {
  const made = Object.getPrototypeOf(value)
  return (
    (made === Object.prototype || made === null) &&
    typeof (value as { toJSON?: unknown }).toJSON !== 'function' &&
    Object.getOwnPropertySymbols(value).length === 0
  )
}

function freeze<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null) return value
  for (const inner of Object.values(value)) freeze(inner)
  return Object.freeze(value)
}

/** The value of a JSON text, frozen to the bottom: what a driver that keeps text gives back. */
export const frozenFromText = (text: string): unknown => freeze(JSON.parse(text))

const throughText = (value: unknown): unknown => frozenFromText(JSON.stringify(value))

/** A field that JSON drops is left out; the others keep their order. What is in `stored` too is kept as it is. */
function frozenObject(value: object, depth: number, stored?: object): object {
  const copy = { ...value } as Record<string, unknown>
  for (const key in copy) {
    const field = copy[key]
    if (isItself(field)) continue
    if (typeof field === 'number' && Number.isFinite(field) && !Object.is(field, -0)) continue
    if (dropped(field)) {
      const kept = Object.entries(value).filter(([, inner]) => !dropped(inner))
      return frozenObject(Object.fromEntries(kept), depth, stored)
    }
    if (
      stored &&
      typeof field === 'object' &&
      Object.hasOwn(stored, key) &&
      Reflect.get(stored, key) === field
    )
      continue
    const inner = frozenValue(field, depth)
    if (!Object.is(inner, field)) copy[key] = inner
  }
  return Object.freeze(copy)
}

function frozenValue(value: unknown, depth: number, stored?: unknown): unknown {
  if (isItself(value)) return value
  if (typeof value === 'number') return Number.isFinite(value) ? value + 0 : null
  if (typeof value !== 'object' || depth === DEEP) return throughText(value)
  if (frozen.has(value)) return value
  if (Array.isArray(value) && !('toJSON' in value))
    return Object.freeze(Array.from(value, (item) => (dropped(item) ? null : frozenValue(item, depth + 1))))
  if (!isPlain(value)) return throughText(value)
  return frozenObject(value, depth + 1, typeof stored === 'object' && stored !== null ? stored : undefined)
}

/**
 * Copies a row as JSON carries it and freezes the copy to the bottom. What any driver gives back is then the
 * same, and neither the writer nor a reader can change what is stored. Throws what `JSON.stringify` throws.
 */
export const frozenCopy = <Row>(row: Row): Row => frozenValue(row, 0) as Row

/** The same for a row in place of a frozen copy, whose objects are not copied again where the row has them. */
export const frozenCopyAfter = <Row>(row: Row, before: Row | undefined): Row =>
  frozenValue(row, 0, before) as Row

/**
 * Makes a large object of its fields, in turns with others, and freezes it to the bottom: `frozenCopy` then returns it
 * as it is. Rows that share it share its memory.
 */
export async function frozenInTurns<Value>(
  fields: Iterable<readonly [name: string, value: Value]>,
): Promise<Readonly<Record<string, Value>>> {
  const made: Record<string, Value> = {}
  // Defined and not set: a field may be called `__proto__`.
  for await (const [name, field] of inTurns(fields, TURN_FIELDS))
    Object.defineProperty(made, name, { value: frozenCopy(field), enumerable: true })
  frozen.add(Object.freeze(made))
  return made
}
