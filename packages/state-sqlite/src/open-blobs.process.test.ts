import { mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { blobsSuite } from '@svc/state/testing'
import { afterEach, expect, it } from 'vitest'
import { openBlobs } from './open-blobs.ts'

const dirs: string[] = []
const newDir = () => {
  const dir = mkdtempSync(path.join(tmpdir(), 'svc-blobs-'))
  dirs.push(dir)
  return dir
}
afterEach(() => {
  for (const dir of dirs.splice(0)) rmSync(dir, { recursive: true })
})

blobsSuite('a folder of several hosts', () => openBlobs(newDir()))

it('two hosts see the blobs of each other, and of two removals one is told that it did it', async () => {
  const dir = newDir()
  const [one, other] = [await openBlobs(dir), await openBlobs(dir)]
  const digests = await Promise.all([one, other].map((blobs) => blobs.put(Buffer.from('abc'))))
  expect(digests[0]).toBe(digests[1])
  expect(Buffer.from((await other.get(digests[0] ?? '')) ?? 'none').toString()).toBe('abc')
  const removals = await Promise.all([one, other].map((blobs) => blobs.remove(digests[0] ?? '')))
  expect(removals.filter(Boolean)).toHaveLength(1)
  expect(await one.get(digests[0] ?? '')).toBeNull()
})

it('removes what was being written a day ago, and nothing that another host may be writing', async () => {
  const dir = newDir()
  await openBlobs(dir)
  for (const name of ['left', 'written']) writeFileSync(path.join(dir, 'new', name), '')
  const before = Date.now() / 1_000 - 86_500
  utimesSync(path.join(dir, 'new', 'left'), before, before)
  await openBlobs(dir)
  expect(readdirSync(path.join(dir, 'new'))).toEqual(['written'])
})

it('a place that cannot be a folder is said', async () => {
  const file = path.join(newDir(), 'file')
  writeFileSync(file, '')
  await expect(openBlobs(file)).rejects.toMatchObject({ name: 'FolderError', code: 'not_usable' })
})
