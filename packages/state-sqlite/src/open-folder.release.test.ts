import { rm } from 'node:fs/promises'
import { quickFolder } from '@svc/conformance/testing/quick-folder'
import { blobsSuite, busSuite, storeSuite } from '@svc/state/testing'
import { afterAll } from 'vitest'
import { type Folder, type FolderOptions, openFolder } from './index.ts'

const dirs: string[] = []
async function fresh(options?: FolderOptions): Promise<Folder> {
  const dir = quickFolder('svc-state')
  dirs.push(dir)
  return openFolder(dir, options)
}
afterAll(async () => {
  for (const dir of dirs) await rm(dir, { recursive: true, force: true })
})

storeSuite('sqlite', async () => {
  const { store, bus, blobs } = await fresh()
  return {
    ...store,
    close: async () => void (await Promise.all([store.close(), bus.close(), blobs.close()])),
  }
})
busSuite('sqlite', async (clock) => {
  const { store, bus } = await fresh({ clock })
  return { ...bus, close: async () => void (await Promise.all([store.close(), bus.close()])) }
})
blobsSuite('files', async () => {
  const { blobs, ...folder } = await fresh()
  return { ...blobs, close: async () => void (await Promise.all([folder.close(), blobs.close()])) }
})
