/**
 * The tables of a database file. Each step brings a file from one version to the next: a new file takes all of them, an
 * older one those that it lacks. A step that has been released never changes.
 */
export interface Format {
  /** What the file holds, in error messages. */
  readonly what: string
  /** Marks the file as ours (`PRAGMA application_id`). */
  readonly applicationId: number
  /** SQL; the version of the file is how many of them it has taken (`PRAGMA user_version`). */
  readonly steps: readonly string[]
}

/** Bytes of `svcr` and `svcj`. */
const [RECORDS_ID, JOURNALS_ID] = [0x73_76_63_72, 0x73_76_63_6a]

/** `svc.db`: the records of the store. */
export const recordsFormat: Format = {
  what: 'records',
  applicationId: RECORDS_ID,
  steps: [
    `
    CREATE TABLE facts (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID, STRICT;
    CREATE TABLE collections (n INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, declared TEXT NOT NULL) STRICT;
    CREATE TABLE indexes (
      n INTEGER PRIMARY KEY,
      collection INTEGER NOT NULL,
      name TEXT NOT NULL,
      UNIQUE (collection, name)
    ) STRICT;
    CREATE TABLE records (
      n INTEGER PRIMARY KEY,
      collection INTEGER NOT NULL,
      id BLOB NOT NULL,
      revision INTEGER NOT NULL,
      weight REAL NOT NULL,
      crc INTEGER NOT NULL,
      keys TEXT NOT NULL,
      body TEXT NOT NULL,
      UNIQUE (collection, id)
    ) STRICT;
    CREATE TABLE entries (
      idx INTEGER NOT NULL,
      key BLOB NOT NULL,
      record INTEGER NOT NULL,
      PRIMARY KEY (idx, key)
    ) WITHOUT ROWID, STRICT;
    `,
  ],
}

/** `journals.db`: the journals of the bus. */
export const journalsFormat: Format = {
  what: 'journals',
  applicationId: JOURNALS_ID,
  steps: [
    `
    CREATE TABLE facts (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID, STRICT;
    CREATE TABLE journals (
      n INTEGER PRIMARY KEY,
      name BLOB NOT NULL UNIQUE,
      first INTEGER NOT NULL,
      tail INTEGER NOT NULL,
      bytes INTEGER NOT NULL
    ) STRICT;
    CREATE TABLE items (
      journal INTEGER NOT NULL,
      seq INTEGER NOT NULL,
      at INTEGER NOT NULL,
      bytes INTEGER NOT NULL,
      crc INTEGER NOT NULL,
      item TEXT NOT NULL,
      PRIMARY KEY (journal, seq)
    ) WITHOUT ROWID, STRICT;
    CREATE TABLE dropped (journal INTEGER PRIMARY KEY) STRICT;
    `,
  ],
}
