import type { BlobPiece, RecordPiece } from '@svc/state/portable'
import type { Run } from '../postgres/database.ts'
import { CUT, idFrom } from '../postgres/keys.ts'

/** Rows that are read at once. */
const PAGE_ROWS = 200
/** Bytes of a digest: as much of a cut id is not its own. */
const DIGEST_BYTES = 32

interface Row {
  readonly id: Buffer
  readonly whole: Buffer | null
  readonly revision: string
  readonly body: string
}

/** The records of a schema in the order of an archive, in the transaction of `run`. */
export async function* readRecords(run: Run, schema: string): AsyncGenerator<RecordPiece> {
  const collections = await run<{ n: number; name: string }>(`SELECT n, name FROM ${schema}.collections`)
  for (const { n, name } of collections.sort((a, b) => (a.name < b.name ? -1 : 1)))
    for await (const { id, whole, revision, body } of inOrderOfIds(rowsOf(run, schema, n)))
      yield {
        kind: 'record',
        collection: name,
        id: idFrom(whole ?? id),
        revision: Number(revision),
        row: body,
      }
}

async function* rowsOf(run: Run, schema: string, collection: number): AsyncGenerator<Row> {
  for (let after: Buffer | null = null; ; ) {
    const rows: Row[] = await run<Row>(
      `SELECT id, whole, revision, body FROM ${schema}.records
       WHERE collection = $1 AND ($2::bytea IS NULL OR id > $2) ORDER BY id LIMIT ${PAGE_ROWS}`,
      [collection, after],
    )
    yield* rows
    const last = rows.at(-1)
    if (!last) return
    after = last.id
  }
}

/** Those that begin like an id that was cut may be before or after it: the index does not know. */
async function* inOrderOfIds(rows: AsyncIterable<Row>): AsyncGenerator<Row> {
  const beginning = CUT - DIGEST_BYTES
  let alike: Row[] = []
  function taken(): Row[] {
    const sorted = alike.sort((a, b) => Buffer.compare(a.whole ?? a.id, b.whole ?? b.id))
    alike = []
    return sorted
  }
  for await (const row of rows) {
    const first = alike[0]
    if (first && !first.id.subarray(0, beginning).equals(row.id.subarray(0, beginning))) yield* taken()
    if (row.id.length < beginning) yield row
    else alike.push(row)
  }
  yield* taken()
}

/** The blobs of a schema by digest, in the transaction of `run`. */
export async function* readBlobs(run: Run, schema: string): AsyncGenerator<BlobPiece> {
  for (let after: Buffer = Buffer.alloc(0); ; ) {
    const blobs: { digest: Buffer; size: string }[] = await run(
      `SELECT digest, size FROM ${schema}.blobs WHERE digest > $1 ORDER BY digest LIMIT ${PAGE_ROWS}`,
      [after],
    )
    for (const { digest, size } of blobs)
      yield {
        kind: 'blob',
        digest: digest.toString('hex'),
        size: Number(size),
        bytes: bytesOf(run, schema, digest),
      }
    const last = blobs.at(-1)
    if (!last) return
    after = last.digest
  }
}

async function* bytesOf(run: Run, schema: string, digest: Buffer): AsyncGenerator<Uint8Array> {
  for (let at = 0; ; at++) {
    const [piece] = await run<{ bytes: Buffer }>(
      `SELECT bytes FROM ${schema}.pieces WHERE digest = $1 AND at = $2`,
      [digest, at],
    )
    if (!piece) return
    yield piece.bytes
  }
}
