import { rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { quickFolder } from '@svc/conformance/testing/quick-folder'
import { all, type Collection, collection } from '@svc/state'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Folder, openFolder } from './index.ts'
import { allowsTwoConnections } from './open-folder.ts'

interface Note {
  readonly owner: string
  readonly title: string
}

const notes = collection({ name: 'notes', row: {} as Note, indexes: { byOwner: (row) => [row.owner] } })

describe('a folder', () => {
  let dir: string
  const open: Folder[] = []

  beforeEach(async () => {
    dir = quickFolder('svc-reopen')
  })
  afterEach(async () => {
    for (const folder of open.splice(0)) await folder.close()
    await rm(dir, { recursive: true })
  })

  async function opened(): Promise<Folder> {
    const folder = await openFolder(dir)
    open.push(folder)
    return folder
  }

  it('has everything when it is opened again, and goes on with its numbers', async () => {
    const before = await opened()
    const first = await before.store.insert(notes, '\ud83d\u0000', { owner: 'ann', title: 'one' })
    await before.bus.journal.append('frames', 1, ['"a"', '"b"'])
    await before.bus.journal.trim('frames', { keep: 1 })
    const digest = await before.blobs.put(Buffer.from('bytes'))
    const { secret, bus } = before
    await before.close()

    const after = await opened()
    expect(await after.store.get(notes, '\ud83d\u0000')).toEqual(first.ok && first.record)
    expect((await all(after.store, notes, 'byOwner', { eq: ['ann'] })).map(({ id }) => id)).toEqual([
      '\ud83d\u0000',
    ])
    const second = await after.store.insert(notes, 'b', { owner: 'ann', title: 'two' })
    expect(second.ok && first.ok && second.record.revision > first.record.revision).toBe(true)
    expect(await after.bus.journal.read('frames', 1)).toEqual({
      items: [{ seq: 2, item: '"b"' }],
      first: 2,
      tail: 2,
      reset: false,
    })
    expect(await after.bus.journal.append('frames', 3, ['"c"'])).toEqual({ ok: true, tail: 3 })
    expect(Buffer.from((await after.blobs.get(digest)) ?? []).toString()).toBe('bytes')
    expect([after.secret, after.bus.epoch]).toEqual([secret, bus.epoch])
    for (const name of ['secret', 'svc.db', 'svc.db-wal', 'journals.db', 'lock.db', 'lock.pid'])
      expect([name, (await stat(path.join(dir, name))).mode & 0o777]).toEqual([name, 0o600])
  })

  it('puts rows into indexes that are declared otherwise than before', async () => {
    const before = await opened()
    await before.store.insert(notes, 'a', { owner: 'ann', title: 'b' })
    await before.store.insert(notes, 'b', { owner: 'bob', title: 'a' })
    await before.close()

    const changed: Collection<Note, 'byOwner' | 'byTitle'> = collection({
      name: 'notes',
      row: {} as Note,
      indexes: {
        byTitle: (row) => [row.title],
        byOwner: (row) => (row.owner === 'bob' ? null : [row.owner]),
      },
    })
    const after = await opened()
    const ids = async (index: 'byOwner' | 'byTitle') =>
      (await all(after.store, changed, index)).map(({ id }) => id)
    expect(await ids('byTitle')).toEqual(['b', 'a'])
    expect(await ids('byOwner')).toEqual(['a'])
    const record = await after.store.get(changed, 'b')
    expect(record && (await after.store.remove(changed, 'b', record.revision))).toBe(true)
    expect(await ids('byTitle')).toEqual(['a'])
  })

  it('does the work of writes that nobody awaited before it closes', async () => {
    const before = await opened()
    const writes = Array.from({ length: 50 }, (_, n) =>
      before.store.insert(notes, `n${n}`, { owner: 'ann', title: `${n}` }),
    )
    await writes[0]
    const others = before.store.insert(notes, 'last', { owner: 'ann', title: 'last' })
    await before.close()
    expect((await others).ok).toBe(true)
    expect((await Promise.all(writes)).every(({ ok }) => ok)).toBe(true)
    expect(await all((await opened()).store, notes, 'byOwner')).toHaveLength(51)
  })
})

describe('two connections', () => {
  it.each([
    ['3.51.2', false],
    ['3.51.3', true],
    ['3.50.9', false],
    ['3.53.4', true],
    ['4.0.0', true],
    ['2.99.99', false],
    ['', false],
  ])('with SQLite %j: %j', (version, allowed) => {
    expect(allowsTwoConnections(version)).toBe(allowed)
  })
})
