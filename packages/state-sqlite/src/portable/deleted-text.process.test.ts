import { readdir, readFile, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { quickFolder } from '@svc/conformance/testing/quick-folder'
import { collection } from '@svc/state'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { backupFolder, openFolder, restoreFolder } from '../index.ts'

const TEXT = 'only ada wrote this'
const notes = collection({ name: 'notes', row: {} as { text: string }, indexes: { all: () => [] } })

let dir: string
beforeEach(async () => {
  dir = quickFolder('svc-deleted-text')
})
afterEach(() => rm(dir, { recursive: true }))

/** The files below a folder in which the text is. */
async function filesWithText(folder: string): Promise<string[]> {
  const found: string[] = []
  for (const name of await readdir(folder, { recursive: true })) {
    const file = path.join(folder, name)
    if ((await stat(file)).isFile() && (await readFile(file)).includes(TEXT)) found.push(name)
  }
  return found
}

it('what was deleted may stay in a database file, and is not in a folder that is restored from a later backup', async () => {
  const data = path.join(dir, 'data')
  const { store, bus, blobs, close } = await openFolder(data)
  const written = await store.insert(notes, 'a', { text: TEXT })
  if (!written.ok) throw new Error('the note was not written')
  await bus.journal.append('journal', 1, [JSON.stringify(TEXT)])
  const digest = await blobs.put(Buffer.from(TEXT))
  await store.remove(notes, 'a', written.record.revision)
  await bus.journal.drop('journal')
  await blobs.remove(digest)
  await close()
  expect((await filesWithText(data)).sort()).toEqual(['journals.db', 'svc.db'])

  const file = path.join(dir, 'backup.tar')
  await backupFolder(data, file)
  await restoreFolder(file, path.join(dir, 'restored'))
  expect((await readFile(file)).includes(TEXT)).toBe(false)
  expect(await filesWithText(path.join(dir, 'restored'))).toEqual([])
})
