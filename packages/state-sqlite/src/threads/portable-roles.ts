import path from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import type { Verb } from './batches.ts'
import { openChecks } from './checks.ts'
import { openDatabase } from './database.ts'
import { type Format, journalsFormat, recordsFormat } from './format.ts'
import { openLoadVerbs } from './load.ts'
import type { Role } from './serve.ts'
import { openBoth, openSnapshotVerbs } from './snapshot.ts'
import type { ThreadData } from './thread-data.ts'

/** Pages of a log from which on what is loaded goes into its file. */
const LOG_PAGES = 2_000

type Verbs = Readonly<Record<string, (...args: never[]) => unknown>>

const verbsOf = (verbs: Verbs, writes?: DatabaseSync): Record<string, Verb> =>
  Object.fromEntries(Object.entries(verbs).map(([name, run]) => [name, writes ? { run, writes } : { run }]))

/** Reads a folder as it is at this moment, while another process may write to it. */
export function openSnapshotRole({ dir }: ThreadData): Role {
  const { records, journals, close } = openBoth(dir)
  const verbs = { ...openSnapshotVerbs(records, journals), ...openChecks(records, journals) }
  return { verbs: verbsOf(verbs), undone() {}, close }
}

/** Fills the files of a new folder. */
export function openLoaderRole({ dir }: ThreadData): Role {
  function open(name: string, format: Format): DatabaseSync {
    const db = openDatabase({ path: path.join(dir, name), format, durability: 'process' })
    db.exec(`PRAGMA wal_autocheckpoint = ${LOG_PAGES}`)
    return db
  }
  const records = open('svc.db', recordsFormat)
  const journals = open('journals.db', journalsFormat)
  const { setRevision, addRecords, addJournals, sync } = openLoadVerbs(records, journals)
  return {
    verbs: {
      ...verbsOf({ setRevision, addRecords }, records),
      ...verbsOf({ addJournals }, journals),
      ...verbsOf({ sync }),
    },
    undone() {},
    close() {
      records.close()
      journals.close()
    },
  }
}
