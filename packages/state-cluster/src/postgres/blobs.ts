import { type Blobs, copyInTurns, digestInTurns } from '@svc/state'
import { StoreError } from '@svc/state/driver'
import type { Database } from './database.ts'
import { newToken } from './keys.ts'

/** Bytes of a blob in one row: as many are read at least. */
const PIECE = 1_048_576
const DIGEST = /^[0-9a-f]{64}$/

/** Blobs in a schema of PostgreSQL, in pieces. */
export function postgresBlobs({ database, schema }: { database: Database; schema: string }): Blobs {
  let isClosed = false
  const sizeOf = `SELECT size FROM ${schema}.blobs WHERE digest = $1`
  const pieceOf = `SELECT substring(bytes FROM $3::int FOR $4::int) AS bytes FROM ${schema}.pieces WHERE digest = $1 AND at = $2`
  const take = `SELECT ${schema}.remove_blob($1, $2, $3) AS is_done`

  const open = () => {
    if (isClosed) throw new StoreError('closed', 'the blobs are closed')
  }

  async function slice(digest: string, from: number, to: number): Promise<Uint8Array | null> {
    open()
    if (!DIGEST.test(digest)) return null
    const key = Buffer.from(digest, 'hex')
    const [found] = await database.run<{ size: string }>(sizeOf, () => [key])
    if (!found) return null
    const end = Math.min(to, Number(found.size))
    const bytes = Buffer.alloc(Math.max(0, end - from))
    for (let at = from; at < end; ) {
      const piece = Math.floor(at / PIECE)
      const begin = at - piece * PIECE
      const count = Math.min(PIECE - begin, end - at)
      const [part] = await database.run<{ bytes: Buffer }>(pieceOf, () => [key, piece, begin + 1, count])
      // Removed while it was read.
      if (!part) return null
      part.bytes.copy(bytes, at - from)
      at += count
    }
    return bytes
  }

  return {
    async put(given) {
      open()
      // The copy first: its writer goes on using its buffer.
      const bytes = await copyInTurns(given)
      const digest = await digestInTurns(bytes)
      const key = Buffer.from(digest, 'hex')
      await database.transaction(async (run) => {
        const added = await run<{ one: number }>(
          `INSERT INTO ${schema}.blobs (digest, size) VALUES ($1, $2) ON CONFLICT DO NOTHING RETURNING 1 AS one`,
          [key, bytes.length],
        )
        if (added.length === 0) return
        for (let at = 0; at * PIECE < bytes.length; at++)
          await run(`INSERT INTO ${schema}.pieces (digest, at, bytes) VALUES ($1, $2, $3)`, [
            key,
            at,
            bytes.subarray(at * PIECE, (at + 1) * PIECE),
          ])
      })
      return digest
    },
    get: (digest) => slice(digest, 0, Number.MAX_SAFE_INTEGER),
    slice,
    async remove(digest) {
      open()
      if (!DIGEST.test(digest)) return false
      const token = newToken()
      const [done] = await database.run<{ is_done: boolean }>(take, (isAgain) => [
        token,
        isAgain,
        Buffer.from(digest, 'hex'),
      ])
      return done?.is_done === true
    },
    async close() {
      isClosed = true
    },
  }
}
