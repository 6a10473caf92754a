import { createHash } from 'node:crypto'
import { type ByteText, encodeEntry } from './keys.ts'
import type { Collection, Key } from './port.ts'
import { StoreError } from './store-error.ts'

/** A collection as a driver knows it, once it is declared there. */
export interface DriverTable<Declared> {
  readonly collection: Collection<never>
  /** The names of its indexes, in their order. */
  readonly names: readonly string[]
  /** What the driver knows it by. */
  declared(): Promise<Declared>
  /** The next call declares it again. */
  forget(): void
}

/** What a driver knows its collections by: each is declared once, when it is first used. */
export function openTables<Declared>(
  declare: (collection: Collection<never>, names: readonly string[]) => Promise<Declared>,
) {
  const tables = new Map<string, DriverTable<Declared>>()
  let isClosed = false

  function open(collection: Collection<never>): DriverTable<Declared> {
    const names = Object.keys(collection.indexes)
    let declaring: Promise<Declared> | null = null
    const forget = () => {
      declaring = null
    }
    return {
      collection,
      names,
      declared() {
        if (declaring) return declaring
        const begun = declare(collection, names)
        declaring = begun
        begun.catch(() => {
          if (declaring === begun) forget()
        })
        return begun
      },
      forget,
    }
  }

  return {
    /** The table of a collection. Throws `TypeError` where another one has its name, `StoreError` after `close`. */
    of(collection: Collection<never>): DriverTable<Declared> {
      if (isClosed) throw new StoreError('closed', 'the store is closed')
      const found = tables.get(collection.name) ?? open(collection)
      if (found.collection !== collection)
        throw new TypeError(`two kinds of record are called ${collection.name}`)
      tables.set(collection.name, found)
      return found
    },
    close(): void {
      isClosed = true
    },
  }
}

/** Tells a declaration from one that has other indexes, other keys or another weight. */
export function printOf({ indexes, weight }: Collection<never>): string {
  const declared = Object.entries<unknown>(indexes).map(([name, keyOf]) => `${name}: ${keyOf}`)
  return createHash('sha256')
    .update([...declared, `weight: ${weight}`].join('\n'))
    .digest('hex')
}

/** The place of an index among those of its collection. Throws `TypeError` for one that was not declared. */
export function placeOf(
  { collection, names }: Pick<DriverTable<unknown>, 'collection' | 'names'>,
  name: string,
): number {
  const at = names.indexOf(name)
  if (at < 0) throw new TypeError(`${collection.name} has no index ${name}`)
  return at
}

/** Where a row is in the indexes, and what it weighs. */
export interface Position {
  /** Its entry in each index, in their order; `null`: it is not in that one. */
  readonly keys: readonly (ByteText | null)[]
  readonly weight: number
}

/** Where a row of a collection is in its indexes, and what it weighs. */
export function positionOf(collection: Collection<never>, id: string, row: never): Position {
  const keys = Object.values<(row: never) => Key | null>(collection.indexes).map((keyOf) => {
    const key = keyOf(row)
    return key && encodeEntry(key, id)
  })
  return { keys, weight: collection.weight?.(row) ?? 0 }
}
