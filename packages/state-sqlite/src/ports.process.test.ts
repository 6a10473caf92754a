import { rmSync } from 'node:fs'
import { rounds } from '@svc/conformance/rounds'
import { quickFolder } from '@svc/conformance/testing/quick-folder'
import { blobsSuite, busSuite, storeSuite } from '@svc/state/testing'
import { afterAll } from 'vitest'
import { openNearPorts } from './testing/near-ports.ts'

const dirs: string[] = []
const fresh = () => {
  const dir = quickFolder('svc-ports')
  dirs.push(dir)
  return dir
}
afterAll(() => {
  for (const dir of dirs) rmSync(dir, { recursive: true })
})

/** Whole, and on threads, in `open-folder.release.test.ts`. */
const load = { lists: rounds(500, 50), writes: rounds(2_000, 200), keys: rounds(100_000, 5_000) }

storeSuite('sqlite', async () => (await openNearPorts(fresh())).store, load)
busSuite('sqlite', async (clock) => (await openNearPorts(fresh(), clock)).bus)
blobsSuite('files', async () => (await openNearPorts(fresh())).blobs)
