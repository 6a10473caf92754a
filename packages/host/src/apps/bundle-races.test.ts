import { rounds } from '@svc/conformance/rounds'
import { verifies } from '@svc/conformance/verifies'
import { pause } from '@svc/node'
import fc from 'fast-check'
import { expect } from 'vitest'
import { push, register } from '../testing/apps.ts'
import { historiesOf, hostOn, NEVER, openDisk, playHistory, sweep } from '../testing/killed-hosts.ts'
import { filesOf, refusal, type TestServices, testManifest } from '../testing/services.ts'
import { wrongBytes } from '../testing/wrong-bytes.ts'
import { dropBundles } from './drop-bundles.ts'

const RUNS = rounds(1_000)

const draft = (host: TestServices, app: string, text: string) =>
  push(host, app, testManifest(), filesOf({ 'index.html': '<p>', 'a.txt': text, 'b.txt': `${text} again` }))

/** What happens to the drafts and releases of one app. */
const happeningsIn = (app: string) => ({
  first: (host: TestServices) => draft(host, app, 'first'),
  firstAgain: (host: TestServices) => draft(host, app, 'first'),
  second: (host: TestServices) => draft(host, app, 'second'),
  release: (host: TestServices) => host.apps.release('ada', app, '1.0.0'),
  remove: (host: TestServices) => host.apps.removeRelease('ada', app, '1.0.0'),
  drop: dropBundles,
})

verifies(
  'files.dropped',
  'whatever hosts push, release and remove, killed or not, each version has its bytes and nothing else is kept',
  async () => {
    await fc.assert(
      fc.asyncProperty(historiesOf(happeningsIn(''), 24, 400), fc.nat({ max: 60 }), async (history, last) => {
        const disk = openDisk()
        const happenings = happeningsIn(await register(hostOn(disk, 0).services))
        // What a push left that broke off an hour ago is due.
        await happenings.first(hostOn(disk, 3, last).services).catch(() => {})
        expect(await playHistory(disk, happenings, history, pause)).toEqual([])
      }),
      { numRuns: RUNS },
    )
  },
)

verifies('files.dropped', 'a release names no bundle whose bytes a push has not brought yet', async () => {
  const disk = openDisk()
  const host = hostOn(disk, 0).services
  const app = await register(host)
  await draft(host, app, 'first')
  const reads = Promise.withResolvers<void>()
  const replaced = Promise.withResolvers<void>()
  const releasing = hostOn(disk, 1, NEVER, async (method) => {
    if (method !== 'store.get' || releasing.calls() === 1) return
    reads.resolve()
    await replaced.promise
  })
  const released = refusal(releasing.services.apps.release('ada', app, '1.0.0'))
  // It has read the draft.
  await reads.promise
  await draft(host, app, 'second')
  const put = () => Promise.reject(new Error('the disk is full'))
  const full = hostOn({ ...disk, blobs: { ...disk.blobs, put } }, 2).services
  await expect(draft(full, app, 'first')).rejects.toThrow('the disk is full')
  replaced.resolve()
  expect(await released).toBe('conflict: another draft was pushed meanwhile')
  await sweep(host)
  expect(await wrongBytes(disk.store, disk.kept)).toEqual([])
})
