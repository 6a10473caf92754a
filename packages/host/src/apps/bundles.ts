import { createHash } from 'node:crypto'
import { type Limits, type Manifest, refuse } from '@svc/contract'
import { canonicalJson } from '@svc/contract/digest'
import { inTurns, pause } from '@svc/node'
import { openJudge } from '@svc/node/archive'
import { collection, digestInTurns, each, frozenInTurns, update } from '@svc/state'
import type { FileEntry, VersionRow } from '../catalog/records.ts'
import { OPERATOR } from '../catalog/records.ts'
import { addUse } from '../data/app-files/uses.ts'
import type { AppParts } from './parts.ts'

const TURN_FILES = 100

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
  /** The bytes of its files, the same ones counted once. */
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

/** Judges the paths and sizes of pushed files, however they came. Errors: `invalid_arg`. */
export async function judgeFiles(files: ReadonlyMap<string, Uint8Array>, limits: Limits): Promise<void> {
  const judge = openJudge(limits)
  for await (const [path, bytes] of inTurns(files, TURN_FILES)) judge.file(path, bytes.length)
  await judge.end()
}

/**
 * Keeps the files of a version and answers where they are: the digest is over the app, the manifest and every file.
 * The record comes before the uses and they before the bytes: so `dropBundles`, should it meet this, puts back
 * what it took away. Errors: `quota_exceeded`, where the owner keeps too much.
 */
export async function keepBundle(
  services: AppParts,
  { appId, owner }: BundleOwner,
  manifest: Manifest,
  files: ReadonlyMap<string, Uint8Array>,
): Promise<{ digest: string; files: VersionRow['files'] }> {
  const kept: [string, FileEntry][] = []
  const sizes = new Map<string, number>()
  for await (const [path, bytes] of inTurns(files, TURN_FILES)) {
    const entry = { digest: await digestInTurns(bytes), size: bytes.length }
    kept.push([path, entry])
    sizes.set(entry.digest, entry.size)
  }
  kept.sort(([a], [b]) => (a < b ? -1 : 1))
  await pause()
  const digest = await digestOfContents(appId, manifest, kept)
  const row = {
    used_at: services.clock.now(),
    replaced_at: null,
    app_id: appId,
    owner,
    size_bytes: [...sizes.values()].reduce((sum, size) => sum + size, 0),
    files: await frozenInTurns(kept),
    connect_src: manifest.ui.csp?.connect_src ?? [],
    img_src: manifest.ui.csp?.img_src ?? [],
  }
  await pause()
  await enter(services, digest, row)
  await pause()
  for await (const [, { digest: file }] of inTurns(kept, TURN_FILES))
    await addUse(services.store, file, digest)
  for await (const bytes of inTurns(files.values(), TURN_FILES)) await services.blobs.put(bytes)
  return { digest, files: row.files }
}

/** The digest of the canonical JSON of `{app, files: [[path, digest]], manifest}`. */
async function digestOfContents(
  appId: string,
  manifest: Manifest,
  files: readonly [string, FileEntry][],
): Promise<string> {
  const hash = createHash('sha256').update(`{"app":${JSON.stringify(appId)},"files":[`)
  let comma = ''
  for await (const [path, entry] of inTurns(files, TURN_FILES)) {
    hash.update(`${comma}${JSON.stringify([path, entry.digest])}`)
    comma = ','
  }
  return hash.update(`],"manifest":${canonicalJson(manifest)}}`).digest('hex')
}

/** Writes the record of a bundle down where there is none. Errors: `quota_exceeded`. */
async function enter(services: AppParts, digest: string, row: BundleRow): Promise<void> {
  for (;;) {
    const inserted = await services.store.insert(bundles, digest, row)
    if (inserted.ok) {
      if (
        row.owner === OPERATOR ||
        (await bytesOf(services, row.owner)) <= services.limits.BUNDLES_BYTES_PER_USER
      )
        return
      await services.store.remove(bundles, digest, inserted.record.revision)
      throw tooManyBytes(services.limits)
    }
    if (await useBundle(services, digest)) return
  }
}

/** The bytes of all bundles of an owner: drafts, releases, and what a window still shows. */
async function bytesOf({ store }: Pick<AppParts, 'store'>, owner: string): Promise<number> {
  let sum = 0
  for await (const { row } of each(store, bundles, 'byOwner', { eq: [owner] })) sum += row.size_bytes
  return sum
}

const tooManyBytes = ({ BUNDLES_BYTES_PER_USER: max }: Limits) =>
  refuse('quota_exceeded', `the apps of a user may keep at most ${max} bytes of drafts and releases`, {
    limit: 'BUNDLES_BYTES_PER_USER',
    max,
    hint: 'Delete a release or an app. A draft that was replaced goes when its windows are closed or reloaded.',
  })

/** Notes that a bundle is used now, or was replaced; `false` where there is none. */
export async function useBundle(
  { store, clock }: Pick<AppParts, 'store' | 'clock'>,
  digest: string,
  how: 'used' | 'replaced' = 'used',
): Promise<boolean> {
  const noted = await update(store, bundles, digest, (row) => {
    const used_at = clock.now()
    return row && { ...row, used_at, replaced_at: how === 'replaced' ? used_at : null }
  })
  return noted !== null
}
