import { type Collection, each, eachSettled, type StoreRecord } from '@svc/state'
import type { DataLine } from '../access/users/users.ts'
import type { WorkServices } from '../work/services.ts'

/** Bytes that belong to a record. */
interface HeldBytes {
  readonly digest: string
  readonly size: number
  /** Which of several files it is. */
  readonly path?: string
}

/** What an export says of a record. */
interface ExportRule<Row extends object> {
  /** The row without its secrets; left out: all of it. */
  readonly row?: (row: Readonly<Row>) => object
  readonly bytes?: (row: Readonly<Row>) => readonly HeldBytes[]
  /** Records of other collections that go with this one. */
  readonly children?: (services: WorkServices, record: StoreRecord<Row>) => AsyncIterable<DataLine>
}

/** A collection whose rows of a user are found by an index. */
export interface HeldRows {
  /** Drops the rows of a user; returns how many it found. */
  drop(services: WorkServices, userId: string): Promise<number>
  /** The rows of a user as lines, in the order of the index. */
  lines(services: WorkServices, userId: string): AsyncIterable<DataLine>
}

/** A collection whose rows go with those of another one, which drops and exports them. */
export interface RowsOfOther {
  readonly goesWith: string
}

/** A collection that holds nothing of a user, and why. */
export interface NoRows {
  readonly none: string
}

/** The line of a record. */
export const lineOf = ({ name }: { readonly name: string }, id: string, row: object): DataLine => ({
  kind: name,
  id,
  row,
})

/** Rows that are found by an index which begins with the id of the user; without `drop` they are simply removed. */
export const held = <Row extends object, Index extends string>(
  of: Collection<Row, Index>,
  index: NoInfer<Index>,
  drop: (services: WorkServices, record: StoreRecord<Row>) => Promise<unknown> = (
    { store },
    { id, revision },
  ) => store.remove(of, id, revision),
  { row: shown, bytes, children }: ExportRule<Row> = {},
): HeldRows => ({
  async drop(services, userId) {
    let found = 0
    await eachSettled(each(services.store, of, index, { eq: [userId] }), async (record) => {
      found += 1
      await drop(services, record)
    })
    return found
  },
  async *lines(services, userId) {
    for await (const record of each(services.store, of, index, { eq: [userId] })) {
      yield lineOf(of, record.id, shown ? shown(record.row) : record.row)
      for (const one of bytes?.(record.row) ?? []) yield* piecesOf(services, of.name, record.id, one)
      if (children) yield* children(services, record)
    }
  },
})

/** A collection whose rows of a user are under two indexes, each under one of them. */
export const both = (one: HeldRows, other: HeldRows): HeldRows => ({
  drop: async (services, userId) => (await one.drop(services, userId)) + (await other.drop(services, userId)),
  async *lines(services, userId) {
    yield* one.lines(services, userId)
    yield* other.lines(services, userId)
  },
})

/** The bytes of a record in pieces, each read when it is asked for. Bytes that went meanwhile end early. */
async function* piecesOf(
  { blobs, limits }: Pick<WorkServices, 'blobs' | 'limits'>,
  name: string,
  id: string,
  { digest, size, path }: HeldBytes,
): AsyncGenerator<DataLine> {
  for (let at = 0; at < size; ) {
    const piece = await blobs.slice(digest, at, Math.min(size, at + limits.SERVED_PIECE_BYTES))
    if (!piece?.length) return
    const base64 = Buffer.from(piece).toString('base64')
    yield { kind: `${name}.bytes`, id, ...(path !== undefined && { path }), at, base64 }
    at += piece.length
  }
}
