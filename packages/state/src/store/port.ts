/** One part of an index key. Order: null, false, true, numbers by value, text as `<` orders it in JavaScript. */
export type KeyPart = string | number | boolean | null

/** An index key: compared part by part, a shorter key before the longer ones that begin with it. */
export type Key = readonly KeyPart[]

/**
 * A kind of record. It touches no driver; one name means one kind in the whole store.
 * An index is a pure function of the row; where it gives `null`, the row is absent from that index.
 */
export interface Collection<Row, Index extends string = string> {
  /** One name means one kind in the whole store. */
  readonly name: string
  /** By its name, the key that an index has for a row. */
  readonly indexes: Readonly<Record<Index, (row: Row) => Key | null>>
  /** What a row weighs, for caps of weight; left out: nothing. */
  readonly weight?: (row: Row) => number
}

/**
 * Declares a kind of record: `collection<WindowRow>({ name: 'windows', indexes: { byUser: (r) => [r.user_id] } })`.
 * With `row: {} as WindowRow` in place of the type argument the names of the indexes are checked by the compiler.
 */
export function collection<Row, Index extends string = string>(declared: {
  /** One name means one kind in the whole store. */
  name: string
  /** Stands for its type only; its value is never looked at. */
  row?: Row
  /** By its name, the key that an index has for a row; `null`: the row is not in it. */
  indexes: Record<Index, (row: Row) => Key | null>
  /** What a row weighs, for caps of weight. */
  weight?: (row: Row) => number
}): Collection<Row, Index> {
  const { name, indexes, weight } = declared
  return Object.freeze(weight ? { name, indexes, weight } : { name, indexes })
}

/** A stored row with its id and the number of its last write. Frozen to the bottom: change it by `swap`. */
export interface StoreRecord<Row> {
  /** Unique in its collection. */
  readonly id: string
  /** Grows with every write and is never used again for the same id, not even after a removal. */
  readonly revision: number
  /** What was written. */
  readonly row: Readonly<Row>
}

/**
 * At most `max` rows whose key in `index` begins with `eq`. Judges only a row that comes under it again. A cap of
 * weight holds what those rows weigh together, where `eq` is one part, and judges only a write that adds to it.
 */
export interface Cap<Index extends string = string> {
  /** What `full` says when this cap refuses. */
  name: string
  /** The index whose rows are counted. */
  index: Index
  /** What the keys of those rows begin with. */
  eq: Key
  /** How many there may be, or what they may weigh. */
  max: number
  /** What is counted; default `rows`. */
  of?: 'rows' | 'weight'
}

/** What a write may carry: caps that hold together with it, as one step. */
export interface WriteOptions<Index extends string = string> {
  /** Caps that must hold after the write. */
  caps?: readonly Cap<Index>[]
}

/** A write that was done. */
interface WriteDone<Row> {
  /** It was written. */
  ok: true
  /** The record as it stands now. */
  record: StoreRecord<Row>
}

/** A write that a cap refused. */
interface Full {
  /** Nothing was written. */
  ok: false
  /** The name of the first cap that does not hold. */
  full: string
}

/** What `insert` returns: the new record, the one that holds the id already, or the name of the first full cap. */
export type InsertResult<Row> =
  | WriteDone<Row>
  | {
      /** Nothing was written. */
      ok: false
      /** The record that has the id. */
      exists: StoreRecord<Row>
    }
  | Full

/** What `swap` returns: the new record, `lost` when the revision is no longer the record's, or a full cap. */
export type SwapResult<Row> =
  | WriteDone<Row>
  | {
      /** Nothing was written. */
      ok: false
      /** Somebody wrote the record since it was read, or removed it. */
      lost: true
    }
  | Full

/** Which records a scan gives, and in which order. */
export interface ScanOptions {
  /** The leading parts of the key, exactly. */
  eq?: Key
  /** Lowest value of the part after `eq`, itself included. A bound meets only values of its own type. */
  from?: KeyPart
  /** Highest value of the part after `eq`, itself included. A bound meets only values of its own type. */
  to?: KeyPart
  /** What the part after `eq`, a text, begins with; no character in it is special. */
  prefix?: string
  /** Default `asc`. Equal keys are ordered by id. */
  order?: 'asc' | 'desc'
  /** The `next` of an earlier page of the same index. */
  after?: string | null
  /** Records a page, at least 1. */
  limit: number
}

/** One page of a scan. */
export interface Page<Row> {
  /** The records, in the order of the scan. */
  rows: StoreRecord<Row>[]
  /** The cursor of the page after this one; `null` on the last. */
  next: string | null
}

/**
 * Records by id, with ordered indexes and compare-and-set. Rows are JSON values: what JSON drops is dropped.
 * Every method is one atomic step; there are no transactions over several.
 * Throws `StoreError`: `closed` after `close()`, `bad_cursor` for an `after` that this index never gave.
 */
export interface Store {
  /** Adds a row. An id in use is reported before any cap is judged. */
  insert<Row, Index extends string>(
    collection: Collection<Row, Index>,
    id: string,
    row: Row,
    options?: WriteOptions<NoInfer<Index>>,
  ): Promise<InsertResult<Row>>
  /** Reads a record; `null` where there is none. */
  get<Row>(collection: Collection<Row>, id: string): Promise<StoreRecord<Row> | null>
  /** Replaces the row whose revision is still `revision`. */
  swap<Row, Index extends string>(
    collection: Collection<Row, Index>,
    id: string,
    revision: number,
    next: Row,
    options?: WriteOptions<NoInfer<Index>>,
  ): Promise<SwapResult<Row>>
  /** Removes the record whose revision is still `revision`; says whether it did. */
  remove<Row>(collection: Collection<Row>, id: string, revision: number): Promise<boolean>
  /** Reads a page of records, in the order of an index. */
  scan<Row, Index extends string>(
    collection: Collection<Row, Index>,
    index: NoInfer<Index>,
    options: ScanOptions,
  ): Promise<Page<Row>>
  /** Why writes fail just now, one sentence; `null` while they succeed. Left out by drivers that do not know. */
  readonly trouble?: () => string | null
  /**
   * `true`: no other process has this store open, so that whatever other hosts left in it is theirs no more. A host that
   * begins on it does not wait until they have been silent for long enough. Its copies of records do not expire: while it
   * runs, no other host and nobody beside the host writes, and the writes of a record are answered in the order in which
   * they were done.
   */
  readonly isExclusive?: boolean
  /** The folder on this machine that it keeps its data in: a host hides it from plugins, and serves nothing that is in it. */
  readonly dir?: string
  /** Where a state that is in no folder is kept, with its bus and blobs, in a few words: `in PostgreSQL and Redis`. */
  readonly place?: string
  /** Drops everything; twice is harmless. */
  close(): Promise<void>
}
