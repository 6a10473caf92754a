import { type Limits, type Manifest, refuse } from '@svc/contract'
import { openJudge } from '@svc/runner/archive'
import { digestOf } from '../blobs/digest.ts'
import { addUse } from '../blobs/uses.ts'
import type { FileEntry, VersionRow } from '../records.ts'
import { collection } from '../store/port.ts'
import { canonicalJson } from './canonical.ts'
import type { AppParts } from './parts.ts'

/**
 * The files behind a digest. The record's id is the digest; what a row says of them never changes. It outlives the
 * draft that it came from, because a window shows the old draft until it is reloaded, and may still load parts of it.
 */
export interface BundleRow {
  /** When it was last pushed or replaced, in Unix ms: from then on it is kept for `BUNDLE_KEEP_MS` at least. */
  readonly used_at: number
  readonly files: VersionRow['files']
  /** Origins that the manifest declares for its own requests and images. */
  readonly connect_src: readonly string[]
  readonly img_src: readonly string[]
}

/** Bundles by digest. */
export const bundles = collection({
  name: 'bundles',
  row: {} as BundleRow,
  indexes: { usedAt: (row) => [row.used_at] },
})

/** Judges the paths and sizes of pushed files, however they came. Errors: `invalid_arg`. */
export function judgeFiles(files: ReadonlyMap<string, Uint8Array>, limits: Limits): void {
  const judge = openJudge(limits)
  for (const [path, bytes] of files) judge.file(path, bytes.length)
}

/**
 * Keeps the files of a version and answers where they are: the digest is over the manifest and every file.
 * The record comes before the uses and they before the bytes: so `dropBundles`, should it meet this, puts back
 * what it took away.
 */
export async function keepBundle(
  house: AppParts,
  manifest: Manifest,
  files: ReadonlyMap<string, Uint8Array>,
): Promise<{ digest: string; files: VersionRow['files'] }> {
  const kept = [...files].map(
    ([path, bytes]) => [path, { digest: digestOf(bytes), size: bytes.length }] as [string, FileEntry],
  )
  kept.sort(([a], [b]) => (a < b ? -1 : 1))
  const contents = { manifest, files: kept.map(([path, entry]) => [path, entry.digest]) }
  const digest = digestOf(Buffer.from(canonicalJson(contents)))
  const row = {
    used_at: house.clock.now(),
    files: Object.fromEntries(kept),
    connect_src: manifest.ui.csp?.connect_src ?? [],
    img_src: manifest.ui.csp?.img_src ?? [],
  }
  while (!(await house.store.insert(bundles, digest, row)).ok) if (await useBundle(house, digest)) break
  for (const { digest: file } of Object.values(row.files)) await addUse(house.store, file, digest)
  for (const bytes of files.values()) await house.blobs.put(bytes)
  return { digest, files: row.files }
}

/** Notes that a bundle is used now; `false` where there is none. */
export async function useBundle(
  { store, clock }: Pick<AppParts, 'store' | 'clock'>,
  digest: string,
): Promise<boolean> {
  for (;;) {
    const record = await store.get(bundles, digest)
    if (!record) return false
    const next = { ...record.row, used_at: clock.now() }
    if ((await store.swap(bundles, digest, record.revision, next)).ok) return true
  }
}

/** The entry of a file, read so that no name of a prototype answers. */
export const fileOf = (files: VersionRow['files'], path: string): FileEntry | undefined =>
  Object.hasOwn(files, path) ? files[path] : undefined

/** The refusal of a version without its entry file. */
export const notReady = (entry: string) =>
  refuse('bundle_not_ready', `the entry file ${JSON.stringify(entry)} has not been pushed yet`)
