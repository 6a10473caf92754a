import { createHash } from 'node:crypto'
import { chmod, cp, mkdir, readdir, readFile, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { buffer } from 'node:stream/consumers'
import { quickFolder } from '@svc/conformance/testing/quick-folder'
import { frozenClock } from '@svc/node/testing'
import { all, collection } from '@svc/state'
import { memoryState, readState, writeState } from '@svc/state/portable'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  backupFolder,
  type Folder,
  folderStats,
  loadFolder,
  openFolder,
  readFolder,
  restoreFolder,
} from '../index.ts'

interface Note {
  readonly owner: string
  readonly values: readonly unknown[]
}

const notes = collection({ name: 'notes', row: {} as Note, indexes: { byOwner: (row) => [row.owner] } })
const awkward = ['', '\0', '\u0001', '\ud800', '\udfff', '\uffff', 'ä', '日本', '\u{1f600}', '__proto__']

/** Stands for many bytes: comparing them one by one takes seconds. */
const sum = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}

async function fill({ store, bus, blobs }: Pick<Folder, 'store' | 'bus' | 'blobs'>): Promise<void> {
  for (const id of awkward)
    await store.insert(notes, id, { owner: id, values: [1e308, 5e-324, 1e21, -0, id, { '1': id, a: [] }] })
  await store.insert(notes, 'large', { owner: 'large', values: ['x'.repeat(2_000_000)] })
  for (const name of awkward) await bus.journal.append(name, 1, ['{"n":1e400}', '"\\ud800"', ' [ 1 ] '])
  await bus.journal.trim('ä', { keep: 1 })
  await bus.journal.trim('日本', { keep: 0 })
  await blobs.put(Buffer.alloc(700_000, 7))
  await blobs.put(Buffer.alloc(0))
}

let filled: string
beforeAll(async () => {
  filled = quickFolder('svc-filled')
  const folder = await openFolder(filled)
  await fill(folder)
  await folder.close()
})
afterAll(() => rm(filled, { recursive: true }))

describe('the state in a folder', () => {
  let dir: string
  let data: string
  const closers: (() => Promise<void>)[] = []

  beforeEach(async () => {
    dir = quickFolder('svc-portable')
    data = path.join(dir, 'data')
  })
  afterEach(async () => {
    for (const close of closers.splice(0).reverse()) await close()
    await rm(dir, { recursive: true })
  })

  async function opened(at = data): Promise<Folder> {
    const folder = await openFolder(at)
    closers.push(folder.close)
    return folder
  }

  async function archiveOf(at: string): Promise<Buffer> {
    const snapshot = await readFolder(at)
    try {
      return await buffer(writeState(snapshot.pieces))
    } finally {
      await snapshot.close()
    }
  }

  it('goes into memory and back, byte for byte', async () => {
    await cp(filled, data, { recursive: true })
    const bytes = await archiveOf(data)

    const memory = await memoryState({ clock: frozenClock(), secret: '', from: readState(once(bytes)) })
    expect(sum(await buffer(writeState(memory.pieces())))).toBe(sum(bytes))
    const other = path.join(dir, 'other')
    await loadFolder(other, memory.pieces())
    expect(sum(await archiveOf(other))).toBe(sum(bytes))
    // A host that only reads changes nothing of it.
    const again = await opened(other)
    expect(await all(again.store, notes, 'byOwner')).toEqual(await all(memory.store, notes, 'byOwner'))
    for (const name of awkward)
      expect(await again.bus.journal.read(name, 0)).toEqual(await memory.bus.journal.read(name, 0))
    await again.close()
    expect(sum(await archiveOf(other))).toBe(sum(bytes))
  })

  it('comes from memory, and goes on where it was', async () => {
    const memory = await memoryState({ clock: frozenClock(), secret: 's'.repeat(40) })
    await fill(memory)
    const gone = await memory.store.insert(notes, 'gone', { owner: 'a', values: [] })
    if (!gone.ok) throw new Error('it was there')
    await memory.store.remove(notes, 'gone', gone.record.revision)
    await loadFolder(data, readState(writeState(memory.pieces())))
    expect(sum(await archiveOf(data))).toBe(sum(await buffer(writeState(memory.pieces()))))

    const folder = await opened()
    expect(folder.secret).toBe(memory.secret)
    const again = await folder.store.insert(notes, 'gone', { owner: 'a', values: [] })
    expect(again.ok && again.record.revision > gone.record.revision).toBe(true)
    expect(await folder.bus.journal.append('日本', 4, ['4'])).toEqual({ ok: true, tail: 4 })
    const full = { caps: [{ name: 'one', index: 'byOwner', eq: ['ä'], max: 1 }] } as const
    expect(
      await folder.store.insert(notes, 'x', { owner: 'ä', values: [] }, { caps: [...full.caps] }),
    ).toEqual({
      ok: false,
      full: 'one',
    })
    expect((await stat(path.join(data, 'secret'))).mode & 0o777).toBe(0o600)
  })

  it('is copied as it was when the copy began, while it is written', async () => {
    await cp(filled, data, { recursive: true })
    const folder = await opened()
    const digest = await folder.blobs.put(Buffer.from('removed while it is copied'))
    const before = await archiveOf(data)

    const snapshot = await readFolder(data)
    await folder.store.insert(notes, 'later', { owner: 'later', values: [] })
    await folder.bus.journal.append('\0', 4, ['4'])
    await folder.bus.journal.drop('ä')
    expect(await folder.blobs.remove(digest)).toBe(true)
    expect(await folder.blobs.get(digest)).toBe(null)
    await folder.blobs.put(Buffer.from('later'))
    expect(sum(await buffer(writeState(snapshot.pieces)))).toBe(sum(before))
    expect(await readdir(path.join(data, 'blobs/removed'))).toHaveLength(1)
    await snapshot.close()
    expect(await readdir(path.join(data, 'blobs/removed'))).toEqual([])
    expect(await readdir(path.join(data, 'blobs/readers'))).toEqual([])
    // What was removed before is not in a later copy.
    expect((await archiveOf(data)).includes(digest)).toBe(false)
  })

  it('forgets what it kept for a copy that was killed', async () => {
    const folder = await opened()
    const digest = await folder.blobs.put(Buffer.from('a'))
    const other = await folder.blobs.put(Buffer.from('b'))
    const readers = path.join(data, 'blobs/readers')
    await writeFile(path.join(readers, '1-killed'), '')
    await folder.blobs.remove(digest)
    expect(await readdir(path.join(data, 'blobs/removed'))).toHaveLength(1)
    await utimes(path.join(readers, '1-killed'), 1, 1)
    await folder.blobs.remove(other)
    expect([await readdir(readers), await readdir(path.join(data, 'blobs/removed'))]).toEqual([[], []])
  })

  it('is counted', async () => {
    const stats = await folderStats(filled)
    expect(stats).toMatchObject({
      collections: [{ name: 'notes', rows: awkward.length + 1 }],
      journals: { count: awkward.length, items: awkward.length * 3 - 5 },
      blobs: { count: 2, bytes: 700_000 },
    })
    expect(stats.files['svc.db']).toBeGreaterThan(2_000_000)
  })
})

describe('a backup', () => {
  let dir: string
  let data: string
  let file: string

  beforeEach(async () => {
    dir = quickFolder('svc-backup')
    data = path.join(dir, 'data')
    file = path.join(dir, 'backup.tar')
    await cp(filled, data, { recursive: true })
  })
  afterEach(() => rm(dir, { recursive: true }))

  it('is one file of its owner, from which the folder is made again', async () => {
    const progress: number[] = []
    const done = await backupFolder(data, file, { onProgress: (now, total) => progress.push(now / total) })
    expect(done).toMatchObject({ records: awkward.length + 1, items: awkward.length * 3 - 5, blobs: 2 })
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    expect(progress.at(-1)).toBeGreaterThanOrEqual(1)
    const restored = path.join(dir, 'restored')
    await mkdir(restored)
    await restoreFolder(file, restored)
    for (const name of ['svc.db', 'journals.db', 'secret'])
      expect([name, (await stat(path.join(restored, name))).mode & 0o777]).toEqual([name, 0o600])
    expect((await stat(restored)).mode & 0o777).toBe(0o700)
    await backupFolder(restored, path.join(dir, 'again.tar'))
    expect(sum(await readFile(path.join(dir, 'again.tar')))).toBe(sum(await readFile(file)))
    expect((await readdir(dir)).sort()).toEqual(['again.tar', 'backup.tar', 'data', 'restored'])
  })

  it('overwrites nothing', async () => {
    await writeFile(file, 'mine')
    await expect(backupFolder(data, file)).rejects.toThrow(`the file ${file} is there already`)
    await expect(backupFolder(data, path.join(data, 'x.tar'))).rejects.toThrow('would be in the data folder')
    await expect(backupFolder(path.join(dir, 'none'), path.join(dir, 'x.tar'))).rejects.toThrow(
      'there is no data folder',
    )
    await expect(backupFolder(data, path.join(dir, 'none/x.tar'))).rejects.toThrow('cannot be written')
    expect(await readFile(file, 'utf8')).toBe('mine')
    expect((await readdir(dir)).sort()).toEqual(['backup.tar', 'data'])
  })

  it('is restored whole or not at all', async () => {
    await backupFolder(data, file)
    const before = await readdir(data)
    await expect(restoreFolder(file, data)).rejects.toThrow(`the folder ${data} is not empty`)
    expect(await readdir(data)).toEqual(before)

    const target = path.join(dir, 'target')
    const bytes = await readFile(file)
    await writeFile(file, bytes.subarray(0, -1_024))
    await expect(restoreFolder(file, target)).rejects.toMatchObject({ code: 'damaged' })
    await expect(restoreFolder(path.join(dir, 'none.tar'), target)).rejects.toThrow('it is not there')
    await expect(restoreFolder(data, target)).rejects.toThrow('it is a folder')
    expect((await readdir(dir)).sort()).toEqual(['backup.tar', 'data'])
  })

  it('is restored where a restore was killed before', async () => {
    await backupFolder(data, file)
    const target = path.join(dir, 'target')
    await mkdir(path.join(`${target}.importing`, 'blobs/ab'), { recursive: true })
    await writeFile(path.join(`${target}.importing`, 'svc.db'), 'half')
    await restoreFolder(file, target)
    expect((await readdir(target)).sort()).toEqual(['blobs', 'journals.db', 'secret', 'svc.db'])

    await mkdir(`${target}-2.importing`)
    await writeFile(path.join(`${target}-2.importing`, 'letter.txt'), 'mine')
    await expect(restoreFolder(file, `${target}-2`)).rejects.toMatchObject({ code: 'not_ours' })
    expect(await readdir(`${target}-2.importing`)).toEqual(['letter.txt'])
  })

  it('is not restored into what somebody else has laid out beside it', async () => {
    await backupFolder(data, file)
    const target = path.join(dir, 'target')
    await mkdir(path.join(dir, 'elsewhere'))
    await symlink(path.join(dir, 'elsewhere'), `${target}.importing`)
    await expect(restoreFolder(file, target)).rejects.toThrow('target.importing is in the way')
    await rm(`${target}.importing`)
    await mkdir(`${target}.importing`)
    await chmod(`${target}.importing`, 0o777)
    await expect(restoreFolder(file, target)).rejects.toThrow('everybody may change the folder')
    expect(await readdir(path.join(dir, 'elsewhere'))).toEqual([])
  })
})
