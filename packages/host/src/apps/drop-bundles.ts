import type { House } from '../house.ts'
import { versions } from '../records.ts'
import { openWindowsUnder } from '../windows/parts.ts'
import { type BundleRow, bundles, fileUses, useId } from './bundles.ts'

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

/** Drops the bytes that no other bundle has. A push that begins meanwhile gets them back. */
async function dropFiles({ store, blobs }: Parts, bundle: string, { files }: BundleRow): Promise<void> {
  const isUsed = async (file: string) =>
    (await store.scan(fileUses, 'byFile', { eq: [file], limit: 1 })).rows.length > 0
  for (const file of new Set(Object.values(files).map(({ digest }) => digest))) {
    const use = await store.get(fileUses, useId(file, bundle))
    if (use) await store.remove(fileUses, use.id, use.revision)
    const bytes = await blobs.get(file)
    if (bytes && !(await isUsed(file))) await blobs.remove(file)
    const again = (await store.get(bundles, bundle)) !== null
    if (again) await store.insert(fileUses, useId(file, bundle), { file, bundle })
    if (bytes && (again || (await isUsed(file)))) await blobs.put(bytes)
  }
}
