import { chmodSync, mkdirSync } from 'node:fs'
import path from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import type { Format } from './format.ts'

/** What survives: `power`, also a power cut; `process`, a process that is killed, but a power cut may take the last writes. */
export type Durability = 'power' | 'process'

/** How a database file is opened. */
export interface DatabaseOptions {
  readonly path: string
  readonly format: Format
  readonly durability: Durability
  /** Bytes that the file may grow to; a write beyond fails as on a full disk. */
  readonly maxBytes?: number | undefined
  /** KiB of pages that this connection keeps in memory. */
  readonly cacheKib?: number
}

/**
 * Bytes of a write-ahead log from which on a checkpoint is asked for. The log stays as long and is written over: an fsync
 * takes a quarter less than where the file grows.
 */
export const LOG_BYTES = 4_194_304
const PAGE_BYTES = 4_096
const CACHE_KIB = 16_000
/** How long a statement waits for the lock of another connection, in ms: a checkpoint, or a reader of another process. */
const BUSY_MS = 5_000
const SYNCHRONOUS = { power: 'FULL', process: 'NORMAL' } as const

/** An older Node has none: there the package says which one it needs, where an import would fail first. */
const sqlite = () => process.getBuiltinModule('node:sqlite')

/**
 * Opens the one connection that writes a database file, which is made where there is none. Checkpoints are left to
 * `checkpoint`, so that no write waits for one.
 */
export function openDatabase(options: DatabaseOptions): DatabaseSync {
  const { path, format, durability, maxBytes, cacheKib = CACHE_KIB } = options
  const db = new (sqlite().DatabaseSync)(path, { timeout: BUSY_MS })
  try {
    const version = numberOf(db, 'PRAGMA user_version')
    // Only an empty file takes these two.
    if (version === 0) db.exec(`PRAGMA page_size = ${PAGE_BYTES}; PRAGMA auto_vacuum = INCREMENTAL`)
    db.exec(`
      PRAGMA journal_mode = WAL;
      PRAGMA synchronous = ${SYNCHRONOUS[durability]};
      PRAGMA wal_autocheckpoint = 0;
      PRAGMA journal_size_limit = ${LOG_BYTES};
      PRAGMA cache_size = -${cacheKib};
      PRAGMA temp_store = MEMORY`)
    if (version < format.steps.length) bring(db, options, version)
    if (maxBytes !== undefined)
      db.exec(`PRAGMA max_page_count = ${Math.max(1, Math.floor(maxBytes / PAGE_BYTES))}`)
    return db
  } catch (error) {
    db.close()
    throw error
  }
}

/** Opens a connection that only reads what others have committed. */
export function openReader(path: string): DatabaseSync {
  const db = new (sqlite().DatabaseSync)(path, { readOnly: true, timeout: BUSY_MS })
  db.exec(`PRAGMA cache_size = -${CACHE_KIB}; PRAGMA temp_store = MEMORY`)
  return db
}

/** The first column of the first row of a statement, a number. */
export const numberOf = (db: DatabaseSync, sql: string): number =>
  Number(Object.values(db.prepare(sql).get() ?? {})[0] ?? 0)

/** Brings a file to the newest version of its format, in one transaction; one that is older is copied first. */
function bring(db: DatabaseSync, { path: file, format }: DatabaseOptions, version: number): void {
  const { applicationId, steps } = format
  if (version > 0) copyBefore(db, file, version)
  db.exec('BEGIN IMMEDIATE')
  for (const step of steps.slice(version)) db.exec(step)
  db.exec(`PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${steps.length}; COMMIT`)
}

/** A copy from before an upgrade, such as `backups/svc.format-1.db`. */
function copyBefore(db: DatabaseSync, file: string, version: number): void {
  const dir = path.join(path.dirname(file), 'backups')
  mkdirSync(dir, { recursive: true, mode: 0o700 })
  const copy = path.join(dir, `${path.basename(file, '.db')}.format-${version}.${Date.now()}.db`)
  db.prepare('VACUUM INTO ?').run(copy)
  chmodSync(copy, 0o600)
}
