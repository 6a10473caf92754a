import { buffer } from 'node:stream/consumers'
import type { Clock } from '@svc/node'
import { memoryBlobs } from '../blobs/memory/memory.ts'
import type { Blobs } from '../blobs/port.ts'
import { busOver } from '../bus/memory/memory.ts'
import { type Journal, newJournal } from '../bus/memory/memory-journals.ts'
import type { Bus } from '../bus/port.ts'
import { frozenFromText } from '../store/freeze.ts'
import { storeOver } from '../store/memory/memory.ts'
import { emptyRecords, type MemoryRecords } from '../store/memory/records.ts'
import type { Store } from '../store/port.ts'
import { inOrder } from './in-order.ts'
import type { BlobPiece, Piece, Pieces } from './piece.ts'

/** What a state in memory is made of. */
export interface MemoryStateOptions {
  /** The clock of the bus. */
  clock: Clock
  /** The secret of tokens, where `from` does not bring one. */
  secret: string
  /** What is there at the beginning; left out, nothing. */
  from?: Pieces
  /** Hears what a subscriber of the bus threw; without it the process warns. */
  onError?: (error: unknown) => void
}

/** The state of a host in memory. */
export interface MemoryState {
  readonly store: Store
  readonly bus: Bus
  readonly blobs: Blobs
  /** The secret of tokens. */
  readonly secret: string
  /** All of it, as it is at this moment. */
  pieces(): Pieces
  /** Lets go of everything; twice is harmless. */
  close(): Promise<void>
}

/** Keeps the state of a host in this process. It can begin with the pieces of another driver, and give its own. */
export async function memoryState({
  clock,
  secret,
  from,
  onError,
}: MemoryStateOptions): Promise<MemoryState> {
  const records = emptyRecords()
  const journals = new Map<string, Journal>()
  const kept = new Map<string, Uint8Array>()
  const loadedSecret = from && (await load(from, { records, journals, kept }))
  const store = storeOver(records)
  const bus = busOver(journals, { clock, ...(onError && { onError }) })
  const blobs = memoryBlobs(kept)
  const ownSecret = loadedSecret ?? secret
  return {
    store,
    bus,
    blobs,
    secret: ownSecret,
    pieces() {
      const copy = { records: recordsOf(records), journals: journalsOf(journals), blobs: blobsOf(kept) }
      return dump(copy, highestOf(records), ownSecret)
    },
    async close() {
      await Promise.all([store.close(), bus.close(), blobs.close()])
    },
  }
}

interface Kept {
  readonly records: MemoryRecords
  readonly journals: Map<string, Journal>
  readonly kept: Map<string, Uint8Array>
}

/** Takes pieces in; returns the secret among them. */
async function load(from: Pieces, { records, journals, kept }: Kept): Promise<string | undefined> {
  let journal = newJournal()
  let secret: string | undefined
  for await (const piece of inOrder(from)) {
    if (piece.kind === 'state') records.revision = piece.revision
    if (piece.kind === 'record') {
      const { collection, id, revision, row } = piece
      const those = records.loaded.get(collection) ?? []
      those.push(Object.freeze({ id, revision, row: frozenFromText(row) as Readonly<unknown> }))
      records.loaded.set(collection, those)
    }
    if (piece.kind === 'journal') {
      journal = { ...newJournal(), first: piece.first, tail: piece.tail }
      journals.set(piece.journal, journal)
    }
    if (piece.kind === 'item') {
      const size = Buffer.byteLength(piece.item)
      journal.entries.push({ seq: piece.seq, item: piece.item })
      journal.times.push(piece.at)
      journal.sizes.push(size)
      journal.bytes += size
    }
    if (piece.kind === 'blob') kept.set(piece.digest, await bytesOf(piece))
    if (piece.kind === 'secret') secret = piece.secret
  }
  return secret
}

async function bytesOf({ bytes }: BlobPiece): Promise<Uint8Array> {
  async function* chunks() {
    yield* bytes
  }
  return buffer(chunks())
}

const highestOf = ({ tables, revision }: MemoryRecords): number =>
  Math.max(revision, ...Array.from(tables.values(), (table) => table.revision))

const byName = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]) => (a < b ? -1 : 1)

/** All records, in order. They are frozen, so that later writes change none. */
function recordsOf({ tables, loaded }: MemoryRecords) {
  const declared = Array.from(tables, ([name, { slots }]) => {
    return [name, Array.from(slots.values(), ({ record }) => record)] as const
  })
  const all = [...declared, ...loaded].sort(byName)
  return all.map(([name, records]) => [name, [...records].sort((a, b) => (a.id < b.id ? -1 : 1))] as const)
}

const journalsOf = (journals: ReadonlyMap<string, Journal>) =>
  Array.from(journals, ([name, { entries, times, gone, first, tail }]) => {
    return [name, { entries: entries.slice(gone), times: times.slice(gone), first, tail }] as const
  }).sort(byName)

const blobsOf = (kept: ReadonlyMap<string, Uint8Array>) => [...kept].sort(byName)

interface Copy {
  readonly records: ReturnType<typeof recordsOf>
  readonly journals: ReturnType<typeof journalsOf>
  readonly blobs: ReturnType<typeof blobsOf>
}

async function* dump(
  { records, journals, blobs }: Copy,
  revision: number,
  secret: string,
): AsyncGenerator<Piece> {
  yield { kind: 'state', revision }
  for (const [collection, those] of records)
    for (const { id, revision, row } of those)
      yield { kind: 'record', collection, id, revision, row: JSON.stringify(row) }
  for (const [journal, { entries, times, first, tail }] of journals) {
    yield { kind: 'journal', journal, first, tail }
    for (const [at, { seq, item }] of entries.entries()) yield { kind: 'item', seq, at: times[at] ?? 0, item }
  }
  for (const [digest, bytes] of blobs) yield { kind: 'blob', digest, size: bytes.length, bytes: [bytes] }
  yield { kind: 'secret', secret }
}
