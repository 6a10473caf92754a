import { dropUse } from '../blobs/uses.ts'
import type { House } from '../house.ts'
import { versions } from '../records.ts'
import { openWindowsUnder } from '../windows/parts.ts'
import { type BundleRow, bundles } from './bundles.ts'

type Parts = Pick<House, 'clock' | 'limits' | 'store' | 'blobs'>

/**
 * Makes the sweep of bundles: one that was last pushed or replaced `BUNDLE_KEEP_MS` ago goes when no version
 * has it any more and no open document was loaded from it. Each sweep looks at the next `CLEAN_RECORDS_MAX` old ones.
 */
export function dropBundles(house: Parts): () => Promise<void> {
  const { clock, limits, store } = house
  let after: string | null = null
  return async () => {
    const to = clock.now() - limits.BUNDLE_KEEP_MS
    const page = await store.scan(bundles, 'usedAt', { to, after, limit: limits.CLEAN_RECORDS_MAX })
    after = page.next
    for (const { id, revision, row } of page.rows) {
      if (await isNeeded(house, id)) continue
      if (await store.remove(bundles, id, revision)) await dropFiles(house, id, row)
    }
  }
}

async function isNeeded(house: Parts, digest: string): Promise<boolean> {
  const named = await house.store.scan(versions, 'byDigest', { eq: [digest], limit: 1 })
  return named.rows.length > 0 || (await openWindowsUnder(house, 'openByDigest', [digest])).length > 0
}

/** Drops the bytes that nobody else has. A push that begins meanwhile gets them back. */
async function dropFiles(house: Parts, bundle: string, { files }: BundleRow): Promise<void> {
  const isBack = async () => (await house.store.get(bundles, bundle)) !== null
  for (const file of new Set(Object.values(files).map(({ digest }) => digest)))
    await dropUse(house, file, bundle, isBack)
}
