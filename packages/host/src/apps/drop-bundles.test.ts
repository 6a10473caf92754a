import { verifies } from '@svc/conformance/verifies'
import { limits } from '@svc/contract'
import { pause } from '@svc/node'
import type { Blobs, Store } from '@svc/state'
import { digestOf } from '@svc/state'
import { expect, it } from 'vitest'
import { fileUses } from '../data/app-files/uses.ts'
import { push, register } from '../testing/apps.ts'
import { filesOf, type TestServices, testManifest, testServices } from '../testing/services.ts'
import { bundles } from './bundles.ts'
import { dropBundles } from './drop-bundles.ts'

const HOUR = limits.BUNDLE_KEEP_MS
const TURNS = 50
const shared = 'body{}'
const draft = (n: number) => filesOf({ 'index.html': `<p>${n}`, 'a.css': shared, 'b.css': shared })

async function bed(options: Parameters<typeof testServices>[0] = {}) {
  const services = testServices(options)
  const app = await register(services)
  const pushDraft = async (n: number) => (await push(services, app, testManifest(), draft(n))).digest
  /** Opens a window that does not say which draft its document is of. */
  const openWindow = async () => {
    await services.apps.install('ada', { app_id: app, version: '0.0.0-draft' })
    return (await services.windows.open('ada', { app_id: app })).window_uuid
  }
  return { services, app, openWindow, pushDraft, sweep: () => dropBundles(services) }
}
/** Whether a bundle and all its bytes are there, none of it is, or only some: 'some' is always wrong. */
async function state({ store, blobs }: TestServices, digest: string, n: number) {
  const there = [
    (await store.get(bundles, digest)) !== null,
    (await blobs.get(digestOf(Buffer.from(`<p>${n}`)))) !== null,
  ]
  return there.every(Boolean) ? 'kept' : there.some(Boolean) ? 'some' : 'gone'
}

verifies('kept.drafts', 'a replaced draft that no window shows goes at once', async () => {
  const { services, openWindow, pushDraft } = await bed()
  const first = await pushDraft(1)
  const second = await pushDraft(2)
  expect([await state(services, first, 1), await state(services, second, 2)]).toEqual(['gone', 'kept'])
  const window = await openWindow()
  await services.windows.change(window, (row) => ({ ...row, digest: 'of another draft' }))
  await pushDraft(3)
  expect(await state(services, second, 2)).toBe('gone')
})

it('a replaced draft goes an hour after it was replaced, with the bytes that nobody else has', async () => {
  const { services, openWindow, pushDraft, sweep } = await bed()
  const first = await pushDraft(1)
  await openWindow()
  await services.clock.advance(5 * HOUR)
  const second = await pushDraft(2)
  await services.clock.advance(HOUR - 1)
  await sweep()
  expect(await state(services, first, 1)).toBe('kept')
  await services.clock.advance(1)
  await sweep()
  expect([await state(services, first, 1), await state(services, second, 2)]).toEqual(['gone', 'kept'])
  expect(await services.blobs.get(digestOf(Buffer.from(shared)))).not.toBeNull()
  expect(
    (await services.store.scan(fileUses, 'byFile', { limit: 100 })).rows.map(({ row }) => row.holder),
  ).toEqual([second, second])
})

verifies(
  'kept.drafts',
  'a window that says nothing of itself keeps one replaced draft of an app',
  async () => {
    const { services, openWindow, pushDraft } = await bed()
    const digests = [await pushDraft(0)]
    await openWindow()
    for (const n of [1, 2, 3, 4]) digests.push(await pushDraft(n))
    const states = digests.map((digest, n) => state(services, digest, n))
    expect(await Promise.all(states)).toEqual(['gone', 'gone', 'gone', 'kept', 'kept'])
  },
)

it('a replaced draft that comes back is no replaced one', async () => {
  const { services, openWindow, pushDraft } = await bed()
  const first = await pushDraft(1)
  await openWindow()
  for (const n of [2, 1, 2, 1, 3]) await pushDraft(n)
  expect(await state(services, first, 1)).toBe('kept')
})

it('a release keeps the bundle of its draft', async () => {
  const { services, app, pushDraft, sweep } = await bed()
  const first = await pushDraft(1)
  await services.apps.release('ada', app, '1.0.0')
  await pushDraft(2)
  await services.clock.advance(10 * HOUR)
  await sweep()
  expect(await state(services, first, 1)).toBe('kept')
})

it('a bundle stays while a document that was loaded from it is open', async () => {
  const { services, app, pushDraft, sweep } = await bed()
  const first = await pushDraft(1)
  await services.apps.install('ada', { app_id: app, version: '0.0.0-draft' })
  const { window_uuid } = await services.windows.open('ada', { app_id: app })
  await services.windows.change(window_uuid, (row) => ({ ...row, digest: first }))
  await pushDraft(2)
  await services.clock.advance(2 * HOUR)
  await sweep()
  expect(await state(services, first, 1)).toBe('kept')
  await services.windows.close('ada', window_uuid, null)
  await sweep()
  expect(await state(services, first, 1)).toBe('gone')
})

it('a draft that comes back is whole, whether its bundle was dropped or not', async () => {
  const { services, openWindow, pushDraft, sweep } = await bed()
  const first = await pushDraft(1)
  await openWindow()
  for (const pause of [2 * HOUR, 0]) {
    await pushDraft(2)
    await services.clock.advance(pause)
    await sweep()
    expect(await pushDraft(1)).toBe(first)
    await services.clock.advance(2 * HOUR)
    await sweep()
    expect(await state(services, first, 1)).toBe('kept')
  }
})

it('a push that meets the sweep keeps its bytes, at whatever step', async () => {
  const ways = ['looking', 'removing', 'removed'] as const
  for (const way of ways) {
    const { services, openWindow, pushDraft } = await bed()
    const first = await pushDraft(1)
    await openWindow()
    await pushDraft(2)
    await services.clock.advance(2 * HOUR)
    let pushed: Promise<string> | undefined
    const store: Store = {
      ...services.store,
      async scan(of, ...rest) {
        const page = await services.store.scan(of, ...rest)
        if (way === 'looking' && of.name === fileUses.name) pushed ??= pushDraft(1)
        return page
      },
    }
    const blobs: Blobs = {
      ...services.blobs,
      async remove(digest) {
        if (way === 'removing') pushed ??= pushDraft(1)
        // The push gets as far as it can.
        for (let turn = 0; turn < TURNS; turn += 1) await pause()
        const removed = await services.blobs.remove(digest)
        if (way === 'removed') pushed ??= pushDraft(1)
        return removed
      },
    }
    await dropBundles({ ...services, store, blobs })
    expect(await pushed).toBe(first)
    expect([way, await state(services, first, 1)]).toEqual([way, 'kept'])
  }
})

verifies('kept.sweeps', 'one sweep drops all that are due, page by page', async () => {
  const { services, pushDraft, sweep } = await bed({ limits: { CLEAN_RECORDS_MAX: 2 } })
  const bundle = await services.store.get(bundles, await pushDraft(0))
  if (!bundle) throw new Error('the bundle of the draft is missing')
  for (let n = 1; n < 6; n += 1) await services.store.insert(bundles, `old ${n}`, bundle.row)
  const left = async () => (await services.store.scan(bundles, 'usedAt', { limit: 100 })).rows.length
  expect(await left()).toBe(6)
  await services.clock.advance(2 * HOUR)
  await sweep()
  expect(await left()).toBe(1)
})
