import { inTurns, pause } from '@svc/node'
import { each, eachSettled, type StoreRecord } from '@svc/state'
import { versions } from '../catalog/records.ts'
import { dropUse } from '../data/app-files/uses.ts'
import { openWindowsUnder } from '../windows/window-record.ts'
import { type BundleRow, bundles, useBundle } from './bundles.ts'
import type { AppServices } from './services.ts'

/** Files that are dropped before others have their turn. */
const TURN_FILES = 50
type Parts = Pick<AppServices, 'clock' | 'limits' | 'store' | 'blobs'>

/**
 * Sweeps the bundles: one that was last pushed or replaced `BUNDLE_KEEP_MS` ago goes when no version
 * has it any more and no open document was loaded from it. Each sweep looks at all of them, page by page.
 */
export async function dropBundles(services: Parts): Promise<void> {
  const { clock, limits, store } = services
  const to = clock.now() - limits.BUNDLE_KEEP_MS
  await eachSettled(each(store, bundles, 'usedAt', { to, limit: limits.CLEAN_RECORDS_MAX }), (bundle) =>
    dropBundle(services, bundle),
  )
}

/** Drops a bundle, unless a version has it or an open document was loaded from it. */
export async function dropBundle(
  services: Parts,
  { id, revision, row }: StoreRecord<BundleRow>,
): Promise<void> {
  if (await isNeeded(services, id)) return
  if (await services.store.remove(bundles, id, revision)) await dropFiles(services, id, row)
}

/**
 * Lets the bundle of a draft go that was replaced: at once where no window of the draft is open whose document may be
 * of it, else `BUNDLE_KEEP_MS` after this, or with the next draft that is replaced, where no window said that it shows it:
 * a document that is still loading by then has heard of two newer ones.
 */
export async function letBundleGo(services: Parts, digest: string, versionId: string): Promise<void> {
  const bundle = await services.store.get(bundles, digest)
  if (!bundle) return
  const { app_id } = bundle.row
  await eachSettled(each(services.store, bundles, 'byReplaced', { eq: [app_id] }), async (replaced) => {
    if (replaced.id !== digest) await dropBundle(services, replaced)
  })
  const open = await openWindowsUnder(services, 'openByVersion', [versionId])
  if (open.some(({ row }) => row.digest === undefined || row.digest === digest))
    await useBundle(services, digest, 'replaced')
  else await dropBundle(services, bundle)
}

async function isNeeded(services: Parts, digest: string): Promise<boolean> {
  const named = await services.store.scan(versions, 'byDigest', { eq: [digest], limit: 1 })
  return named.rows.length > 0 || (await openWindowsUnder(services, 'openByDigest', [digest])).length > 0
}

/** Drops the bytes that nobody else has. A push that begins meanwhile gets them back. */
async function dropFiles(services: Parts, bundle: string, { files }: BundleRow): Promise<void> {
  const isBack = async () => (await services.store.get(bundles, bundle)) !== null
  const digests = new Set(Object.values(files).map(({ digest }) => digest))
  await pause()
  for await (const file of inTurns(digests, TURN_FILES)) await dropUse(services, file, bundle, isBack)
  await pause()
}
