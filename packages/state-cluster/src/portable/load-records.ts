import type { BlobPiece, RecordPiece } from '@svc/state/portable'
import type { Run } from '../postgres/database.ts'
import { idOf } from '../postgres/keys.ts'

/** What goes to PostgreSQL at once: rows, and characters of text unless one alone has more. */
const BATCH_ROWS = 500
const BATCH_CHARS = 1_048_576
/** Bytes of a blob in one row, as `postgresBlobs` has them. */
const PIECE = 1_048_576

/** Puts records into a schema, without index entries: a host makes them when it first uses a collection. */
export function openRecordLoader(run: Run, schema: string) {
  let collection = ''
  let number = 0
  let rows: RecordPiece[] = []
  let chars = 0

  async function flush(): Promise<void> {
    if (rows.length === 0) return
    const ids = rows.map(({ id }) => idOf(id))
    // The weight is not known yet: as of a row of two declarations that differ.
    await run(
      `INSERT INTO ${schema}.records (collection, id, whole, revision, weight, indexes, keys, body)
       SELECT $1, id, whole, revision, 'NaN', '{}', '{}', body
       FROM unnest($2::bytea[], $3::bytea[], $4::bigint[], $5::text[]) AS r (id, whole, revision, body)`,
      [
        number,
        ids.map(({ id }) => id),
        ids.map(({ whole }) => whole),
        rows.map(({ revision }) => revision),
        rows.map(({ row }) => row),
      ],
    )
    rows = []
    chars = 0
  }

  return {
    async add(piece: RecordPiece): Promise<void> {
      if (piece.collection !== collection) {
        await flush()
        collection = piece.collection
        const [found] = await run<{ n: number }>(`SELECT ${schema}.collection_of($1) AS n`, [collection])
        number = found?.n ?? 0
      }
      rows.push(piece)
      chars += piece.row.length
      if (rows.length >= BATCH_ROWS || chars >= BATCH_CHARS) await flush()
    },
    flush,
  }
}

/** Puts a blob into a schema. */
export async function loadBlob(run: Run, schema: string, { digest, bytes }: BlobPiece): Promise<void> {
  const key = Buffer.from(digest, 'hex')
  await run(`INSERT INTO ${schema}.blobs (digest, size) VALUES ($1, 0)`, [key])
  let size = 0
  let at = 0
  for await (const piece of inPieces(bytes)) {
    await run(`INSERT INTO ${schema}.pieces (digest, at, bytes) VALUES ($1, $2, $3)`, [key, at, piece])
    size += piece.length
    at += 1
  }
  await run(`UPDATE ${schema}.blobs SET size = $2 WHERE digest = $1`, [key, size])
}

/** Cuts bytes into pieces of one size; the last may be shorter. */
async function* inPieces(chunks: BlobPiece['bytes']): AsyncGenerator<Buffer> {
  let held: Buffer[] = []
  let size = 0
  for await (const chunk of chunks) {
    for (let from = 0; from < chunk.length; ) {
      const part = Buffer.from(chunk.subarray(from, from + PIECE - size))
      held.push(part)
      size += part.length
      from += part.length
      if (size < PIECE) continue
      yield Buffer.concat(held)
      held = []
      size = 0
    }
  }
  if (size > 0) yield Buffer.concat(held)
}
