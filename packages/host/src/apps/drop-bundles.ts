import { inTurns, pause } from '@svc/node'
import { each, eachSettled } from '@svc/state'
import { versions } from '../catalog/records.ts'
import { openWindowsUnder } from '../catalog/window-row.ts'
import { type BytesParts, dropUse } from '../data/app-files/uses.ts'
import { type BundleRecord, bundles, markReplaced } from './bundles.ts'
import type { AppServices } from './services.ts'

/** Files that are dropped before others have their turn. */
const TURN_DROPS = 50
type Parts = BytesParts & Pick<AppServices, 'limits'>

/**
 * Sweeps the bundles: one that was last pushed or replaced `BUNDLE_KEEP_MS` ago goes when no version
 * has it any more and no open document was loaded from it. Each sweep looks at all of them, page by page.
 */
export async function dropBundles(services: Parts): Promise<void> {
  const { clock, limits, store } = services
  const to = clock.now() - limits.BUNDLE_KEEP_MS
  await eachSettled(each(store, bundles, 'usedAt', { to, limit: limits.CLEAN_RECORDS_MAX }), (bundle) =>
    dropUnneeded(services, bundle),
  )
}

/** Drops a bundle at once, unless somebody needs it or is about to. */
export async function dropBundle(services: Parts, bundle: BundleRecord): Promise<void> {
  if (!bundle.row.holds) await dropUnneeded(services, bundle)
}

/**
 * Drops a bundle, unless a version has it or an open document was loaded from it: its files first, and its record last,
 * so that the sweep finds one that was interrupted.
 */
async function dropUnneeded(services: Parts, { id, revision, row }: BundleRecord): Promise<void> {
  if (await isNeeded(services, id)) return
  const dropping = await services.store.swap(bundles, id, revision, { ...row, holds: 0, dropping: true })
  if (dropping.ok) await dropFiles(services, dropping.record)
}

/**
 * Deletes the bundle of a draft that was replaced: at once where no window of the draft is open whose document may be
 * of it, else `BUNDLE_KEEP_MS` after this, or with the next draft that is replaced, where no window said that it shows
 * it: a document that is still loading by then has heard of two newer ones.
 */
export async function retireBundle(services: Parts, digest: string, versionId: string): Promise<void> {
  const bundle = await services.store.get(bundles, digest)
  if (!bundle) return
  const { app_id } = bundle.row
  await eachSettled(each(services.store, bundles, 'byReplaced', { eq: [app_id] }), async (replaced) => {
    if (replaced.id !== digest) await dropBundle(services, replaced)
  })
  const open = await openWindowsUnder(services, 'openByVersion', [versionId])
  if (open.some(({ row }) => row.digest === undefined || row.digest === digest))
    await markReplaced(services, digest)
  else await dropBundle(services, bundle)
}

async function isNeeded(services: Parts, digest: string): Promise<boolean> {
  const named = await services.store.scan(versions, 'byDigest', { eq: [digest], limit: 1 })
  return named.rows.length > 0 || (await openWindowsUnder(services, 'openByDigest', [digest])).length > 0
}

/** Drops the bytes that nobody else has, until a push brings the bundle back. */
async function dropFiles(services: Parts, { id, revision, row }: BundleRecord): Promise<void> {
  const isDropping = async () => (await services.store.get(bundles, id))?.revision === revision
  const digests = new Set(Object.values(row.files).map(({ digest }) => digest))
  await pause()
  for await (const file of inTurns(digests, TURN_DROPS)) await dropUse(services, file, id, isDropping)
  await services.store.remove(bundles, id, revision)
  await pause()
}
