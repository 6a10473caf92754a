import type { FrozenClock } from '@svc/node/testing'
import { type Blobs, type Bus, memoryBlobs, memoryBus, memoryStore, type Store } from '@svc/state'

/** What is kept of one kind. */
export interface Kept {
  /** Records of a collection, journals of a family, or blobs. */
  readonly count: number
  /** Items of those journals; 0 elsewhere. */
  readonly items: number
  /** Bytes of the records as JSON, of the items, or of the blobs. */
  readonly bytes: number
}

/** Ports in memory that say what they keep. */
export interface CountedPorts {
  readonly store: Store
  readonly bus: Bus
  readonly blobs: Blobs
  /** How often they were asked for anything. */
  readonly asked: () => number
  /** How many records their scans returned. */
  readonly scanned: () => number
  /** Kept with the next record that is written or removed, and with the next items of a journal. */
  written(): Promise<void>
  /** By its kind what is kept now: `windows`, `journal user`, `blobs`. */
  kept(): Promise<Map<string, Kept>>
}

/** A journal is called by its family and an id: `user:ada`. */
const familyOf = (name: string) => `journal ${name.split(':')[0]}`

const sizeOf = (row: unknown) => Buffer.byteLength(JSON.stringify(row))

/** Opens them. */
export function countedPorts(clock: FrozenClock): CountedPorts {
  const [records, lines, bytes] = [memoryStore(), memoryBus({ clock }), memoryBlobs()]
  const rows = new Map<string, Map<string, number>>()
  const journals = new Set<string>()
  const sizes = new Map<string, number>()

  const note = (collection: string, id: string, row: unknown) => {
    const known = rows.get(collection) ?? new Map<string, number>()
    rows.set(collection, known.set(id, sizeOf(row)))
    wrote()
  }
  let asked = 0
  let scanned = 0
  let next = Promise.withResolvers<void>()
  const wrote = () => {
    next.resolve()
    next = Promise.withResolvers()
  }
  const store: Store = {
    ...records,
    get(...question) {
      asked += 1
      return records.get(...question)
    },
    async scan(...question) {
      asked += 1
      const page = await records.scan(...question)
      scanned += page.rows.length
      return page
    },
    async insert(of, id, row, options) {
      const inserted = await records.insert(of, id, row, options)
      if (inserted.ok) note(of.name, id, row)
      return inserted
    },
    async swap(of, id, revision, row, options) {
      const swapped = await records.swap(of, id, revision, row, options)
      if (swapped.ok) note(of.name, id, row)
      return swapped
    },
    async remove(of, id, revision) {
      const removed = await records.remove(of, id, revision)
      if (removed) rows.get(of.name)?.delete(id)
      if (removed) wrote()
      return removed
    },
  }
  const bus: Bus = {
    ...lines,
    journal: {
      ...lines.journal,
      async append(name, seq, items) {
        journals.add(name)
        const appended = await lines.journal.append(name, seq, items)
        wrote()
        return appended
      },
      drop(name) {
        journals.delete(name)
        return lines.journal.drop(name)
      },
    },
  }
  const blobs: Blobs = {
    ...bytes,
    async put(blob) {
      const digest = await bytes.put(blob)
      sizes.set(digest, blob.length)
      return digest
    },
    remove(digest) {
      sizes.delete(digest)
      return bytes.remove(digest)
    },
  }

  async function kept(): Promise<Map<string, Kept>> {
    const found = new Map<string, Kept>()
    const add = (kind: string, count: number, items: number, size: number) => {
      const before = found.get(kind) ?? { count: 0, items: 0, bytes: 0 }
      found.set(kind, {
        count: before.count + count,
        items: before.items + items,
        bytes: before.bytes + size,
      })
    }
    for (const [kind, known] of rows)
      add(
        kind,
        known.size,
        0,
        [...known.values()].reduce((sum, size) => sum + size, 0),
      )
    for (const name of journals) {
      const { items } = await lines.journal.read(name, 0)
      add(
        familyOf(name),
        1,
        items.length,
        items.reduce((sum, { item }) => sum + Buffer.byteLength(item), 0),
      )
    }
    add(
      'blobs',
      sizes.size,
      0,
      [...sizes.values()].reduce((sum, size) => sum + size, 0),
    )
    return found
  }

  return { store, bus, blobs, asked: () => asked, scanned: () => scanned, written: () => next.promise, kept }
}
