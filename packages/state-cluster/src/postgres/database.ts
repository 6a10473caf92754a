import { createHash } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { type Clock, systemClock } from '@svc/node'
import { openTroubles, StoreError } from '@svc/state/driver'
import { DatabaseError, Pool, type PoolClient } from 'pg'
import { type Meaning, meaningOf, sentenceOf, storeErrorOf } from './failures.ts'

/** How a database is reached. */
export interface DatabaseOptions {
  /** `postgres://user:password@host:port/database`. */
  readonly url: string
  /** Connections at most; default 10. */
  readonly connections?: number | undefined
  /** How long a call waits, in ms, until PostgreSQL can be used again; default 5 000. */
  readonly waitMs?: number | undefined
  /** The longest that one statement may take, in ms; default 10 000. */
  readonly statementMs?: number | undefined
}

/** Runs statements on one connection, within a transaction. */
export type Run = <Row extends object>(text: string, values?: readonly unknown[]) => Promise<Row[]>

interface Failed {
  readonly error: unknown
  readonly meaning: Meaning
}
type Tried<Result> = { readonly result: Result } | Failed

/** The parts that can be in trouble. */
const REACH = 'reach'
const WRITES = 'writes'

const WAIT_MS = 5_000
const STATEMENT_MS = 10_000
/** Between two tries, ms. */
const PAUSE_MS = 50

/**
 * The name that a prepared statement has on a connection. Behind PgBouncer another product, or a host of another schema,
 * may have had the connection before: what has the same name must be the same text.
 */
const nameOf = (text: string) => `svc_${createHash('sha256').update(text).digest('hex').slice(0, 32)}`

/** Opens a pool of connections. A statement that meets a passing failure is tried again for a while. */
export function openDatabase({
  url,
  connections = 10,
  waitMs = WAIT_MS,
  statementMs = STATEMENT_MS,
}: DatabaseOptions) {
  const clock: Clock = systemClock
  const pool = new Pool({
    connectionString: url,
    max: connections,
    connectionTimeoutMillis: waitMs,
    query_timeout: statementMs,
    keepAlive: true,
    idleTimeoutMillis: 30_000,
    application_name: 'svc',
  })
  // A connection that ends while nobody uses it is replaced by the next call.
  pool.on('error', () => {})
  // One that ends while it is in use fails its statement; beside that it tells here.
  pool.on('connect', (client) => client.on('error', () => {}))
  const closing = new AbortController()
  const names = new Map<string, string>()
  let isNamed = true
  let probeText = 'SELECT 1'

  const troubles = openTroubles({
    clock,
    async probe(part) {
      await attempt((client) => client.query(probeText), 0)
      troubles.note(part, null)
    },
  })

  /** One try, and what its failure means. */
  async function once<Result>(work: (client: PoolClient) => Promise<Result>): Promise<Tried<Result>> {
    let client: PoolClient | null = null
    try {
      client = await pool.connect()
      const result = await work(client)
      client.release()
      return { result }
    } catch (error) {
      const meaning = meaningOf(error, client !== null)
      // A connection that was cut, or whose answer may still come, is not used again.
      client?.release(meaning === 'cut' || meaning === 'bug')
      return { error, meaning }
    }
  }

  async function attempt<Result>(
    work: (client: PoolClient, isAgain: boolean) => Promise<Result>,
    forMs: number,
  ): Promise<Result> {
    const until = clock.now() + forMs
    /** A try was cut: it may have been carried out. */
    const cut = { isAgain: false }
    for (;;) {
      if (closing.signal.aborted) throw new StoreError('closed', 'the store is closed')
      const tried: Tried<Result> = await once<Result>((client) => work(client, cut.isAgain))
      if ('result' in tried) {
        troubles.note(REACH, null)
        return tried.result
      }
      const { error, meaning }: Failed = tried
      if (meaning === 'bug') throw error
      if (meaning === 'unnamed' && isNamed) {
        isNamed = false
        continue
      }
      cut.isAgain ||= meaning === 'cut'
      if (meaning === 'failed' || clock.now() >= until) {
        // What a server refuses may be writes alone: a read that succeeds says nothing of it, the probe does.
        const part = error instanceof DatabaseError ? WRITES : REACH
        if (!closing.signal.aborted) troubles.note(part, sentenceOf(error))
        throw storeErrorOf(error)
      }
      await pause(PAUSE_MS, undefined, { signal: closing.signal }).catch(() => {})
    }
  }

  return {
    /**
     * Runs one of a few statements, which the connections keep prepared; its values may depend on whether an earlier try may have been carried out, though its answer was
     * lost. Throws `StoreError` `unavailable` where it fails for longer than the wait.
     */
    async run<Row extends object>(
      text: string,
      valuesOf: (isAgain: boolean) => readonly unknown[] = () => [],
    ): Promise<Row[]> {
      const name = names.get(text) ?? nameOf(text)
      names.set(text, name)
      return attempt(async (client, isAgain) => {
        const values = [...valuesOf(isAgain)]
        const result = await client.query<Row>(isNamed ? { name, text, values } : { text, values })
        return result.rows
      }, waitMs)
    },
    /** Runs several statements, all of which are carried out or none. What it does may be done twice. */
    async transaction<Result>(work: (run: Run) => Promise<Result>): Promise<Result> {
      return attempt(async (client) => {
        const run: Run = async (text, values = []) => (await client.query(text, [...values])).rows
        // A host that goes away within it holds its locks no longer than this.
        await client.query(`BEGIN; SET LOCAL idle_in_transaction_session_timeout = ${statementMs}`)
        try {
          const done = await work(run)
          await client.query('COMMIT')
          return done
        } catch (error) {
          // Where the connection is gone, so is the transaction.
          await client.query('ROLLBACK').catch(() => {})
          throw error
        }
      }, waitMs)
    },
    /** What tells whether writes succeed; it may change nothing. */
    setProbe(text: string): void {
      probeText = text
    },
    trouble: troubles.current,
    /** Ends the waits of calls, then the connections; twice is harmless. */
    async close(): Promise<void> {
      if (closing.signal.aborted) return
      closing.abort()
      troubles.close()
      await pool.end()
    },
  }
}

/** A pool of connections to PostgreSQL. */
export type Database = ReturnType<typeof openDatabase>
