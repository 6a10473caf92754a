import { chmod, chown, cp, mkdir, readFile, rm, symlink, truncate, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { quickFolder } from '@svc/conformance/testing/quick-folder'
import { collection } from '@svc/state'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openFolder } from '../index.ts'
import { folderBytes } from '../testing/folder-bytes.ts'
import { FolderError } from './folder-error.ts'

const notes = collection({ name: 'notes', row: {} as { n: number }, indexes: { byN: ({ n }) => [n] } })
const ROWS = 200

let root: string
let whole: string
beforeAll(async () => {
  root = quickFolder('svc-refusals')
  whole = path.join(root, 'whole')
  const { store, bus, close } = await openFolder(whole)
  await Promise.all(Array.from({ length: ROWS }, (_, n) => store.insert(notes, `note ${n}`, { n })))
  await bus.journal.append('journal', 1, ['1', '2'])
  await close()
})
afterAll(() => rm(root, { recursive: true }))

/** Runs statements on a file, and keeps its log as a killed process would leave it. */
async function killedAfter(file: string, sql: string): Promise<void> {
  const beside = `${file}.beside`
  const db = new DatabaseSync(file)
  db.exec(`PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0; ${sql}`)
  await cp(file, beside)
  const log = await readFile(`${file}-wal`)
  db.close()
  await cp(beside, file)
  await rm(beside)
  await writeFile(`${file}-wal`, log)
}

function execIn(file: string, sql: string): void {
  const db = new DatabaseSync(file)
  db.exec(sql)
  db.close()
}

const withFile = (name: string, change: (file: string) => unknown) => async (dir: string) => {
  await cp(whole, dir, { recursive: true })
  await change(path.join(dir, name))
}

/** Root alone can give a file away. */
const ofAnotherUser: [what: string, prepare: (dir: string) => unknown, code: string, sentence: RegExp][] = [
  [
    'what another user owns',
    withFile('svc.db', (file) => chown(path.dirname(file), 65_534, 65_534)),
    'not_usable',
    /belongs to another user \(uid 65534\)$/,
  ],
  [
    'a secret that another user owns',
    withFile('secret', (file) => chown(file, 65_534, 65_534)),
    'not_usable',
    /secret belongs to another user \(uid 65534\)$/,
  ],
]

const foreign = 'CREATE TABLE songs (title TEXT); INSERT INTO songs VALUES (1)'

describe('a folder is refused with a sentence, and left as it was:', () => {
  it.each<[what: string, prepare: (dir: string) => unknown, code: string, sentence: RegExp]>([
    ['a file', (dir) => writeFile(dir, 'text'), 'not_usable', /cannot be used: it is a file$/],
    [
      'a folder below a file',
      async (dir) => {
        await mkdir(path.dirname(dir), { recursive: true })
        await writeFile(`${path.dirname(dir)}/file`, '')
        return path.join(path.dirname(dir), 'file', 'data')
      },
      'not_usable',
      /a part of its path is a file$/,
    ],
    [
      'what everybody may change',
      withFile('svc.db', (file) => chmod(path.dirname(file), 0o777)),
      'not_usable',
      /everybody may change the folder/,
    ],
    [
      'what lies where everybody may change its name',
      async (dir) => {
        const open = path.join(path.dirname(dir), 'open')
        await mkdir(path.join(open, 'inner'), { recursive: true })
        await chmod(open, 0o777)
        await cp(whole, path.join(open, 'inner/data'), { recursive: true })
        return path.join(open, 'inner/data')
      },
      'not_usable',
      /everybody may put another folder in the place of .+data, because of .+open$/,
    ],
    [
      'what a link leads to that everybody may change',
      async (dir) => {
        const above = path.dirname(dir)
        const open = path.join(above, 'open')
        await mkdir(open)
        await chmod(open, 0o777)
        await cp(whole, path.join(above, 'whole'), { recursive: true })
        await symlink('../whole', path.join(open, 'second'))
        await symlink('open/second', dir)
      },
      'not_usable',
      /everybody may put another folder in the place of .+data, because of .+open$/,
    ],
    [
      'a secret that others may read',
      withFile('secret', (file) => chmod(file, 0o604)),
      'not_usable',
      /others may read or change .+secret$/,
    ],
    ...(process.getuid?.() === 0 ? ofAnotherUser : []),
    ['a loop of links', (dir) => symlink(dir, dir), 'not_usable', /its path is a loop of symbolic links$/],
    [
      'other files',
      async (dir) => {
        await mkdir(dir)
        await writeFile(path.join(dir, 'notes.txt'), 'mine')
      },
      'not_ours',
      /is not a data folder of svc: it holds notes\.txt$/,
    ],
    [
      'a database of another program',
      async (dir) => {
        await mkdir(dir)
        execIn(path.join(dir, 'svc.db'), foreign)
      },
      'not_ours',
      /svc\.db is an SQLite file of another program$/,
    ],
    [
      'a database of another program that was killed',
      async (dir) => {
        await mkdir(dir)
        await killedAfter(path.join(dir, 'journals.db'), foreign)
      },
      'not_ours',
      /journals\.db is an SQLite file of another program$/,
    ],
    [
      'a newer format',
      withFile('svc.db', (file) => execIn(file, 'PRAGMA user_version = 7')),
      'newer',
      /svc\.db has format 7, and this version of svc knows formats up to \d$/,
    ],
    [
      'a newer format that is only in the log',
      withFile('svc.db', (file) => killedAfter(file, 'PRAGMA user_version = 7')),
      'newer',
      /svc\.db has format 7, and this version/,
    ],
    [
      'a database without its beginning',
      withFile('svc.db', (file) => truncate(file, 60)),
      'damaged',
      /not an SQLite file/,
    ],
    [
      'a database that was emptied',
      withFile('svc.db', (file) => truncate(file, 0)),
      'damaged',
      /missing or empty/,
    ],
    [
      'a database that is gone',
      withFile('svc.db', (file) => rm(file)),
      'damaged',
      /svc\.db .* missing or empty/,
    ],
    [
      'journals that are gone',
      withFile('journals.db', (file) => rm(file)),
      'damaged',
      /journals\.db .* missing or empty/,
    ],
    [
      'an emptied database with its log',
      withFile('svc.db', async (file) => {
        await killedAfter(file, "INSERT INTO facts VALUES ('a', 'b')")
        await truncate(file, 0)
      }),
      'damaged',
      /svc\.db .* missing or empty, and its log is there/,
    ],
    [
      'a database of one page',
      withFile('svc.db', (file) => truncate(file, 4_096)),
      'damaged',
      /it has 4096 bytes of \d+$/,
    ],
    [
      'a database cut in a page',
      withFile('journals.db', (file) => truncate(file, 9_000)),
      'damaged',
      /9000 bytes of/,
    ],
    [
      'text in place of a database',
      withFile('svc.db', (file) => writeFile(file, 'a '.repeat(5_000))),
      'damaged',
      /not an SQLite/,
    ],
    [
      'a folder in use without its secret',
      withFile('secret', (file) => rm(file)),
      'damaged',
      /secret is missing, and the folder was in use$/,
    ],
    [
      'an empty secret',
      withFile('secret', (file) => writeFile(file, '')),
      'damaged',
      /secret does not hold a secret of at least/,
    ],
  ])('%s', async (what, prepare, code, sentence) => {
    const dir = path.join(root, what, 'data')
    await mkdir(path.dirname(dir))
    const prepared = await prepare(dir)
    const opened = typeof prepared === 'string' ? prepared : dir
    const before = folderBytes(dir)
    const error = await openFolder(opened).then(
      () => null,
      (thrown: unknown) => thrown,
    )
    expect(error).toBeInstanceOf(FolderError)
    expect(error).toMatchObject({
      code,
      message: expect.stringMatching(sentence),
      hint: expect.stringMatching(/^[A-Z].*\.$/),
    })
    expect((error as FolderError).message).not.toContain('\n')
    expect(folderBytes(dir)).toEqual(before)
  })

  it('and one that was cut off in its making is made anew', async () => {
    const dir = path.join(root, 'unmade')
    await mkdir(dir)
    // As SQLite leaves it between the first page and the first transaction.
    execIn(path.join(dir, 'svc.db'), 'PRAGMA auto_vacuum = INCREMENTAL; PRAGMA journal_mode = WAL')
    await writeFile(path.join(dir, 'journals.db'), '')
    const { store, close } = await openFolder(dir)
    expect((await store.insert(notes, 'a', { n: 1 })).ok).toBe(true)
    await close()
  })
})
