import { collection, type StoreRecord, update } from '@svc/state'
import type { VersionRow } from '../catalog/records.ts'
import type { AppNeeds } from './services.ts'

/** Whose bundle it is. */
export interface BundleOwner {
  readonly appId: string
  readonly owner: string
}

/**
 * The files behind a digest. The record's id is the digest; what a row says of them never changes. It outlives the
 * draft that it came from, because a window shows the old draft until it is reloaded, and may still load parts of it.
 */
export interface BundleRow {
  /** When it was last pushed or replaced, in Unix ms: from then on it is kept for `BUNDLE_KEEP_MS` at least. */
  readonly used_at: number
  /** When the draft that it came from was replaced while a window may have shown it, in Unix ms; `null`: it was not. */
  readonly replaced_at: number | null
  /** The app that it belongs to, and its owner, whose room it takes. */
  readonly app_id: string
  readonly owner: string
  /**
   * Who is about to write, or to delete, a version that names it: while there is one it is not dropped. That takes less
   * than `BUNDLE_KEEP_MS`, so after that only what killed hosts left is counted here.
   */
  readonly holds?: number
  /** Its files are being dropped: nobody may name it any more, unless it is pushed again. */
  readonly dropping?: true
  /** The bytes of its files, the same ones counted once, with their paths and the manifest. */
  readonly size_bytes: number
  readonly files: VersionRow['files']
  /** Origins that the manifest declares for its own requests and images. */
  readonly connect_src: readonly string[]
  readonly img_src: readonly string[]
}

/** Bundles by digest. */
export const bundles = collection({
  name: 'bundles',
  row: {} as BundleRow,
  indexes: {
    usedAt: (row) => [row.used_at],
    byApp: (row) => [row.app_id],
    byOwner: (row) => [row.owner],
    byReplaced: (row) => (row.replaced_at === null ? null : [row.app_id]),
  },
})

/** A stored bundle. */
export type BundleRecord = StoreRecord<BundleRow>

type Parts = Pick<AppNeeds, 'store' | 'clock'>

/** The row with one more hold, used now. */
export function withHold({ dropping: _, ...row }: BundleRow, now: number): BundleRow {
  return { ...row, used_at: now, replaced_at: null, holds: (row.holds ?? 0) + 1 }
}

/**
 * Runs `work`, which writes or deletes a version that names a bundle, while nobody drops that. Returns `null`, and runs
 * nothing, where there is no bundle, or its files are being dropped.
 */
export async function holdBundle<Result>(
  parts: Parts,
  digest: string,
  work: () => Promise<Result>,
): Promise<Result | null> {
  const held = await update(parts.store, bundles, digest, (row) =>
    row && !row.dropping ? withHold(row, parts.clock.now()) : null,
  )
  return held && releasing(parts, digest, work)
}

/** Runs `work` under a hold that was taken, and gives it back. */
export async function releasing<Result>(
  { store }: Pick<Parts, 'store'>,
  digest: string,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work()
  } finally {
    // One that cannot be given back is as one that a killed host left.
    await update(
      store,
      bundles,
      digest,
      (row) => row && { ...row, holds: Math.max(0, (row.holds ?? 0) - 1) },
    ).catch(() => null)
  }
}

/** Notes that a bundle was replaced as a draft while a window may show it. */
export async function markReplaced({ store, clock }: Parts, digest: string): Promise<void> {
  await update(store, bundles, digest, (row) => {
    const now = clock.now()
    return row && !row.dropping ? { ...row, used_at: now, replaced_at: now } : row
  })
}
