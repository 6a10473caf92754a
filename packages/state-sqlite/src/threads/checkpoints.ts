import { DatabaseSync } from 'node:sqlite'

/** What a checkpoint left: pages in the log, and how many of them are in the file. */
export interface Checkpoint {
  readonly log: number
  readonly checkpointed: number
  /** Pages of the file that hold nothing. */
  readonly free: number
}

/** How long a checkpoint waits for a lock, in ms: another one is under way, and does the same. */
const BUSY_MS = 100

/** Checkpoints by connections of their own, which do nothing else. */
export function openCheckpoints() {
  const open = new Map<string, DatabaseSync>()
  function connection(file: string): DatabaseSync {
    const there = open.get(file)
    if (there) return there
    const db = new DatabaseSync(file, { timeout: BUSY_MS })
    db.exec('PRAGMA wal_autocheckpoint = 0; PRAGMA cache_size = -500; PRAGMA synchronous = FULL')
    open.set(file, db)
    return db
  }
  return {
    /** Takes into the file what its log holds, as far as nobody reads an older state. */
    run(file: string): Checkpoint {
      const db = connection(file)
      const { log, checkpointed } = db
        .prepare('PRAGMA wal_checkpoint(PASSIVE)')
        .get() as unknown as Checkpoint
      const free = db.prepare('PRAGMA freelist_count').get()?.freelist_count as number
      return { log, checkpointed, free }
    },
    close(): void {
      for (const db of open.values()) db.close()
    },
  }
}
