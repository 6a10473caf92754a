import { cp, readFile, rm, unlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { quickFolder } from '@svc/conformance/testing/quick-folder'
import { collection } from '@svc/state'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { blobFile } from '../folder/blob-files.ts'
import { checkFolder, type NamedBlobs, openFolder } from '../index.ts'

interface Note {
  readonly owner: string
  readonly digest?: string
}

const notes = collection({
  name: 'notes',
  row: {} as Note,
  indexes: { byOwner: (row) => [row.owner], all: () => [1], none: () => null },
})

const namedBlobs = {
  notes: ({ owner, digest }: Note): NamedBlobs => {
    const named = digest === undefined ? [] : [digest]
    return owner === 'ann' ? { needs: named, uses: [] } : { needs: [], uses: named }
  },
}

describe('the check of a folder', () => {
  let filled: string
  let dir: string
  let digest: string

  beforeAll(async () => {
    filled = quickFolder('svc-check')
    const { store, bus, blobs, close } = await openFolder(filled)
    digest = await blobs.put(Buffer.from('the bytes of a blob'))
    for (const id of ['a', 'b', 'c']) await store.insert(notes, id, { owner: 'ann', digest })
    await store.insert(notes, 'd', { owner: 'bob', digest: 'f'.repeat(64) })
    await bus.journal.append('frames', 1, ['"one"', '"two"', '"three"', '"four"'])
    await bus.journal.trim('frames', { keep: 3 })
    await close()
  })
  afterAll(() => rm(filled, { recursive: true }))
  beforeEach(async () => {
    dir = quickFolder('svc-check')
    await cp(filled, dir, { recursive: true })
  })
  afterEach(() => rm(dir, { recursive: true }))

  const check = () => checkFolder(dir, { namedBlobs })

  function change(file: 'svc.db' | 'journals.db', sql: string): void {
    const db = new DatabaseSync(path.join(dir, file))
    db.exec(sql)
    db.close()
  }

  it('finds nothing where all is as it was written', async () => {
    expect(await check()).toEqual({
      problems: [],
      found: 0,
      records: 4,
      items: 3,
      blobs: 1,
      unnamedBlobs: 0,
    })
    expect((await checkFolder(dir)).unnamedBlobs).toBe(null)
  })

  it('looks at a folder that is used', async () => {
    const { store, close } = await openFolder(dir)
    await store.insert(notes, 'e', { owner: 'eve' })
    expect(await check()).toMatchObject({ found: 0, records: 5 })
    await close()
  })

  it.each([
    [
      "UPDATE records SET body = replace(body, 'ann', 'bnn') WHERE n = 2",
      'record "b" of "notes": its check sum differs',
    ],
    [
      'UPDATE records SET revision = revision + 1 WHERE n = 2',
      'record "b" of "notes": its check sum differs',
    ],
    ['UPDATE facts SET value = 3', 'record "d" of "notes": its revision was never given'],
    ['DELETE FROM entries WHERE record = 3', 'record "c" of "notes": 2 of its index entries are missing'],
    [
      'DELETE FROM entries WHERE record = 3 AND idx = 2',
      'record "c" of "notes": 1 of its index entries are missing',
    ],
    ['DELETE FROM records WHERE n = 1', 'index notes.byOwner: an entry has no record'],
    ["INSERT INTO entries VALUES (1, x'0601', 2)", 'index notes.byOwner: an entry is not one of its record'],
    ["INSERT INTO entries VALUES (9, x'0601', 2)", 'index 9: an entry has no record'],
    ["UPDATE records SET keys = '[' WHERE n = 1", 'index notes.all: an entry is not one of its record'],
  ])('finds what is wrong with records: %s', async (sql, says) => {
    change('svc.db', sql)
    const { problems, found } = await check()
    expect(problems).toContain(says)
    expect(found).toBe(problems.length)
  })

  it.each([
    ['DELETE FROM items WHERE seq = 3', ['journal "frames": items 3 to 3 are missing']],
    ['DELETE FROM items WHERE seq = 2', ['journal "frames": items 2 to 2 are missing']],
    ['DELETE FROM items WHERE seq = 4', ['journal "frames": items 4 to 4 are missing']],
    ['DELETE FROM items', ['journal "frames": items 2 to 4 are missing']],
    [
      'UPDATE items SET item = \'"tow"\' WHERE seq = 2',
      ['journal "frames": the check sum of item 2 differs'],
    ],
    ['UPDATE journals SET tail = 3', ['journal "frames": it has item 4, and its highest is 3']],
    ['UPDATE journals SET first = 3', ['journal "frames": item 2 should be gone']],
    ['UPDATE journals SET bytes = 1', ['journal "frames": it has 18 bytes, not 1']],
    ['DELETE FROM journals', ['journals.db: 3 items are of no journal']],
  ])('finds what is wrong with journals: %s', async (sql, problems) => {
    change('journals.db', sql)
    expect((await check()).problems).toEqual(problems)
  })

  it('finds a blob of which a bit is another one', async () => {
    const file = blobFile(path.join(dir, 'blobs'), digest)
    const bytes = await readFile(file)
    bytes[3] = (bytes[3] ?? 0) ^ 1
    await writeFile(file, bytes)
    expect((await check()).problems).toEqual([
      `blob ${digest}: it is not what was written, its digest differs`,
    ])
  })

  it('finds blobs that are missing, and those that nobody names', async () => {
    await unlink(blobFile(path.join(dir, 'blobs'), digest))
    const { blobs, close } = await openFolder(dir)
    await blobs.put(Buffer.from('left over'))
    await close()
    const { problems, unnamedBlobs } = await check()
    expect(problems).toEqual(
      ['a', 'b', 'c'].map((id) => `record "${id}" of notes: its blob ${digest} is missing`),
    )
    expect(unnamedBlobs).toBe(1)
  })

  it('finds pages that are another ones, or goes on behind those that cannot be read', async () => {
    const file = path.join(dir, 'svc.db')
    const bytes = await readFile(file)
    for (let at = 4_096; at < bytes.length; at += 4_096) {
      const damaged = Buffer.from(bytes)
      damaged.fill(0xa5, at, at + 512)
      await writeFile(file, damaged)
      const found = await check().then(
        (report) => report.problems,
        (error: Error) => [error.message],
      )
      expect(found, `page at ${at}`).not.toEqual([])
    }
    await writeFile(file, bytes)
    expect((await check()).found).toBe(0)
  })
})
