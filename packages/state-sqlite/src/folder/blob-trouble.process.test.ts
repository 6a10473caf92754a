import { mkdir, rm, rmdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { quickFolder } from '@svc/conformance/testing/quick-folder'
import { digestOf } from '@svc/state'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type Folder, openFolder } from '../index.ts'

const PATIENT = { timeout: 20_000, interval: 20 }
const refused = { name: 'StoreError', code: 'unavailable' }

let dir: string
let folder: Folder
beforeEach(async () => {
  dir = quickFolder('svc-blob-trouble')
  folder = await openFolder(dir)
})
afterEach(async () => {
  await folder.close()
  await rm(dir, { recursive: true })
})

const bytes = Buffer.from('bytes')
/** Where blobs are written before they have their name: nothing can be written while it is a file. */
const beside = () => path.join(dir, 'blobs', 'new')
async function breakWrites() {
  await rmdir(beside())
  await writeFile(beside(), '')
}
async function mendWrites() {
  await rm(beside())
  await mkdir(beside())
}

it('a blob that cannot be written is a trouble, which ends with the next one that can', async () => {
  await breakWrites()
  await expect(folder.blobs.put(bytes)).rejects.toMatchObject(refused)
  const sentence = 'the data folder cannot be written: a part of its path is a file'
  expect([folder.trouble(), folder.store.trouble?.()]).toEqual([sentence, sentence])
  await mendWrites()
  await folder.blobs.put(bytes)
  expect(folder.trouble()).toBeNull()
})

it('it ends by itself where nobody writes, and leaves no file', async () => {
  await breakWrites()
  await expect(folder.blobs.put(bytes)).rejects.toMatchObject(refused)
  await mendWrites()
  await expect.poll(() => folder.trouble(), PATIENT).toBeNull()
  // A folder with a file in it cannot be removed.
  await rmdir(beside())
  await mkdir(beside())
})

it('a blob that is there already, or is read, says nothing of what can be written', async () => {
  await folder.blobs.put(bytes)
  await breakWrites()
  await expect(folder.blobs.put(Buffer.from('others'))).rejects.toMatchObject(refused)
  await folder.blobs.put(bytes)
  await folder.blobs.get(digestOf(bytes))
  expect(folder.trouble()).not.toBeNull()
})

it('a removal that fails is a trouble', async () => {
  const digest = await folder.blobs.put(bytes)
  const file = path.join(dir, 'blobs', digest.slice(0, 2), digest.slice(2))
  await rm(file)
  await mkdir(file)
  await expect(folder.blobs.remove(digest)).rejects.toThrow()
  expect(folder.trouble()).toMatch(/^the data folder cannot be written: /)
  expect(folder.trouble()).not.toContain(dir)
})
