import { statSync } from 'node:fs'
import path from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import type { Verb } from './batches.ts'
import { openCheckpoints } from './checkpoints.ts'
import { LOG_BYTES, numberOf, openDatabase, openReader } from './database.ts'
import { openFacts } from './facts.ts'
import { Full } from './failure.ts'
import { journalsFormat, recordsFormat } from './format.ts'
import { openJournalVerbs } from './journal-verbs.ts'
import { openLoaderRole, openSnapshotRole } from './portable-roles.ts'
import { openRecordReads } from './record-reads.ts'
import { openRecordWrites } from './record-writes.ts'
import type { Notice, Role } from './serve.ts'
import type { ThreadData } from './thread-data.ts'

/** Free pages that a file may keep, and those from which on it is made smaller. */
const FREE_PAGES = 256
const FREE_PAGES_MANY = 1_024
/** Pages that one verb gives back to the disk. */
const SHRINK_PAGES = 128

/** What every thread that writes a database file does beside its verbs. */
function openUpkeep(db: DatabaseSync, file: string) {
  const log = `${file}-wal`
  const free = db.prepare('PRAGMA freelist_count')
  let isUnsettled = false
  return {
    verbs: {
      /** Takes into the file what is in the log, once the batch is over: a checkpoint elsewhere does not keep up. */
      settle: {
        run() {
          isUnsettled = true
        },
      },
      /** Gives free pages back to the disk; says whether more are to go. */
      shrink: {
        run() {
          if (numberOf(db, 'PRAGMA freelist_count') < FREE_PAGES) return false
          db.prepare(`PRAGMA incremental_vacuum(${SHRINK_PAGES})`).all()
          return true
        },
        writes: db,
      },
      /** Writes what changes nothing: it fails where a write would. */
      probe: {
        run() {
          const isFull = numberOf(db, 'PRAGMA page_count') >= numberOf(db, 'PRAGMA max_page_count')
          if (isFull && numberOf(db, 'PRAGMA freelist_count') === 0) throw new Full()
          db.exec(`PRAGMA user_version = ${numberOf(db, 'PRAGMA user_version')}`)
        },
        writes: db,
      },
    },
    /** Says when the log has grown, or much of the file has become free. */
    afterBatch(): Notice | null {
      if (isUnsettled) db.exec('PRAGMA wal_checkpoint(PASSIVE)')
      isUnsettled = false
      const isLong = (statSync(log, { throwIfNoEntry: false })?.size ?? 0) > LOG_BYTES
      return isLong || (free.get()?.freelist_count as number) > FREE_PAGES_MANY ? { log: file } : null
    },
  }
}

/** Reads of records, whose connection is opened by the first: the file may be in the making before. */
function openLateReader(file: string) {
  let db: DatabaseSync | null = null
  let reads: ReturnType<typeof openRecordReads> | null = null
  function ready() {
    db ??= openReader(file)
    reads ??= openRecordReads(db)
    return reads
  }
  return {
    get: (...args: Parameters<ReturnType<typeof openRecordReads>['get']>) => ready().get(...args),
    scan: (...args: Parameters<ReturnType<typeof openRecordReads>['scan']>) => ready().scan(...args),
    close: () => db?.close(),
  }
}

const verbOf =
  (writes?: DatabaseSync) =>
  (run: (...args: never[]) => unknown): Verb => ({ run, ...(writes && { writes }) })

const roles = {
  /** Writes records; reads them too where there may be only one connection. */
  records({ dir, durability, maxBytes }: ThreadData): Role {
    const file = path.join(dir, 'svc.db')
    const db = openDatabase({ path: file, format: recordsFormat, durability: durability.records, maxBytes })
    const upkeep = openUpkeep(db, file)
    const { undone, indexesOf: _, rowsAfter, ...writes } = openRecordWrites(db)
    const reads = openRecordReads(db)
    const writing = verbOf(db)
    const reading = verbOf()
    return {
      verbs: {
        declare: writing(writes.declare),
        clearEntries: writing(writes.clearEntries),
        reindex: writing(writes.reindex),
        declareDone: writing(writes.declareDone),
        insert: writing(writes.insert),
        swap: writing(writes.swap),
        remove: writing(writes.remove),
        rowsAfter: reading(rowsAfter),
        get: reading(reads.get),
        scan: reading(reads.scan),
        ...upkeep.verbs,
      },
      undone,
      afterBatch: upkeep.afterBatch,
      close: () => db.close(),
    }
  },
  /** Reads records that have been committed, and keeps journals. */
  journals({ dir, durability, maxBytes, hasReader, boot }: ThreadData): Role {
    const file = path.join(dir, 'journals.db')
    const db = openDatabase({ path: file, format: journalsFormat, durability: durability.journals, maxBytes })
    const reader = hasReader ? openLateReader(path.join(dir, 'svc.db')) : null
    const journals = openJournalVerbs(db)
    const facts = openFacts(db, boot)
    const upkeep = openUpkeep(db, file)
    const writing = verbOf(db)
    const reading = verbOf()
    return {
      verbs: {
        append: writing(journals.append),
        read: reading(journals.read),
        trim: writing(journals.trim),
        drop: writing(journals.drop),
        sweepDropped: writing(journals.sweepDropped),
        epoch: {
          run(fresh: string) {
            // Beyond the durability of journals: a power cut must not take back that the folder was opened.
            upkeep.verbs.settle.run()
            return facts.epoch(fresh)
          },
          writes: db,
        },
        ...(reader && { get: reading(reader.get), scan: reading(reader.scan) }),
        ...upkeep.verbs,
      },
      undone: journals.undone,
      afterBatch: upkeep.afterBatch,
      close() {
        try {
          facts.closed()
        } finally {
          reader?.close()
          db.close()
        }
      },
    }
  },
  /** Takes into the files what is in their logs, while others write. */
  keeper(): Role {
    const checkpoints = openCheckpoints()
    return { verbs: { checkpoint: { run: checkpoints.run } }, undone: () => {}, close: checkpoints.close }
  },
  /** Reads both files as they were when it was opened, while others write. */
  snapshot: openSnapshotRole,
  /** Fills the files of a new folder. */
  loader: openLoaderRole,
}

/** The names of what threads do. */
export type RoleName = keyof typeof roles

/** Opens what a thread is for. */
export const openRole = (data: ThreadData): Role => roles[data.role](data)
