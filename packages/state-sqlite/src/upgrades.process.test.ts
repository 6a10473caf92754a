import { chmod, cp, readdir, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { whatIsWrong } from '@svc/conformance/testing/check-folder'
import { quickFolder } from '@svc/conformance/testing/quick-folder'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openFolder } from './index.ts'
import { fixtureItems, fixtureNotes, fixtures, fixtureText, notes } from './testing/fixture.ts'
import { openDatabase } from './threads/database.ts'
import { type Format, journalsFormat, recordsFormat } from './threads/format.ts'

const at = (format: number) => path.join(import.meta.dirname, '..', 'fixtures', `format-${format}`)
const DIGEST = '020229100dd97b841689f7653ba8c430dbf021066fb9c61bb3c0f7dd1553a740'

let root: string
beforeAll(async () => {
  root = quickFolder('svc-upgrades')
})
afterAll(() => rm(root, { recursive: true }))

/** A copy of a fixture. */
async function copyOf(format: number, name: string): Promise<string> {
  const dir = path.join(root, name)
  await cp(at(format), dir, { recursive: true })
  // Git keeps no modes but that of programs.
  await chmod(path.join(dir, 'secret'), 0o600)
  return dir
}

it('there is a fixture of each format', () => {
  const formats = Math.max(recordsFormat.steps.length, journalsFormat.steps.length)
  expect(fixtures.map(({ format }) => format)).toEqual(Array.from({ length: formats }, (_, n) => n + 1))
})

it.each(fixtures)(
  'a folder of format $format is opened with all that it has',
  async ({ format, epoch, secret }) => {
    const dir = await copyOf(format, `format-${format}`)
    const reindexed: string[] = []
    const folder = await openFolder(dir, { onReindex: (name) => reindexed.push(name) })
    const { store, bus, blobs } = folder
    expect([folder.secret, bus.epoch]).toEqual([secret, epoch])
    const { rows } = await store.scan(notes, 'byOwner', { limit: 100 })
    expect(rows.map(({ id, row }) => ({ id, row }))).toEqual(fixtureNotes)
    for (const { id, revision, row } of rows)
      expect(await store.get(notes, id)).toEqual({ id, revision, row })
    const large = await store.scan(notes, 'bySize', { limit: 100 })
    expect(large.rows.map(({ row }) => row.size)).toEqual([2, 3.5])
    expect(await store.get(notes, 'removed')).toBeNull()
    const again = await store.insert(notes, 'removed', { owner: 'ann', text: 'anew', size: 1 })
    expect(again.ok && again.record.revision > Math.max(...rows.map(({ revision }) => revision))).toBe(true)

    const tail = fixtureItems.length + 1
    expect(await bus.journal.read('journal', 1)).toEqual({
      items: fixtureItems.map((item, n) => ({ seq: n + 2, item })),
      first: 2,
      tail,
      reset: false,
    })
    expect(await bus.journal.append('journal', tail + 1, ['1'])).toEqual({ ok: true, tail: tail + 1 })
    expect(await bus.journal.append('dropped', 1, ['1'])).toEqual({ ok: true, tail: 1 })
    expect(Buffer.from((await blobs.get(DIGEST)) ?? []).toString()).toBe(fixtureText)
    await folder.close()
    expect(whatIsWrong(dir)).toEqual([])
  },
)

describe('a file of an older format', () => {
  const next: Format = {
    ...recordsFormat,
    steps: [
      ...recordsFormat.steps,
      'CREATE TABLE more (n INTEGER) STRICT; INSERT INTO more SELECT n FROM records',
    ],
  }
  const broken: Format = {
    ...next,
    steps: [...next.steps, 'CREATE TABLE last (n INTEGER) STRICT; INSERT INTO absent VALUES (1)'],
  }
  const format = recordsFormat.steps.length
  const open = (dir: string, wanted: Format) =>
    openDatabase({ path: path.join(dir, 'svc.db'), format: wanted, durability: 'power' })
  const facts = (file: string) => {
    const db = new DatabaseSync(file, { readOnly: true })
    const tables = db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name").all()
    const [version] = db.prepare('PRAGMA user_version').all()
    const rows = db.prepare('SELECT count(*) AS found FROM records').get()?.found
    db.close()
    return { version: version?.user_version, tables: tables.map(({ name }) => name), rows }
  }

  it('takes the steps that it lacks, and has been copied before', async () => {
    const dir = await copyOf(1, 'older')
    const before = facts(path.join(dir, 'svc.db'))
    open(dir, next).close()
    const after = facts(path.join(dir, 'svc.db'))
    expect(after).toEqual({
      version: format + 1,
      tables: [...before.tables, 'more'].sort(),
      rows: before.rows,
    })
    const [copy = '', ...others] = await readdir(path.join(dir, 'backups'))
    expect(others).toEqual([])
    expect(copy).toMatch(/^svc\.format-\d+\..*db$/)
    expect(facts(path.join(dir, 'backups', copy))).toEqual(before)
    expect((await stat(path.join(dir, 'backups', copy))).mode & 0o777).toBe(0o600)
    open(dir, next).close()
    expect(await readdir(path.join(dir, 'backups'))).toEqual([copy])
  })

  it('is as it was where a step fails', async () => {
    const dir = await copyOf(1, 'broken')
    const before = facts(path.join(dir, 'svc.db'))
    expect(() => open(dir, broken)).toThrow(/absent/)
    expect(facts(path.join(dir, 'svc.db'))).toEqual(before)
    open(dir, next).close()
    expect(facts(path.join(dir, 'svc.db')).version).toBe(format + 1)
  })
})
