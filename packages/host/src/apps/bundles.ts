import { createHash } from 'node:crypto'
import { type Limits, type Manifest, refuse } from '@svc/contract'
import { canonicalJson } from '@svc/contract/digest'
import { inTurns, pause } from '@svc/node'
import { openJudge } from '@svc/node/archive'
import {
  collection,
  digestInTurns,
  each,
  eachSettled,
  frozenInTurns,
  type StoreRecord,
  update,
} from '@svc/state'
import { type FileEntry, OPERATOR, type VersionRow, versions } from '../catalog/records.ts'
import { openWindowsUnder } from '../catalog/window-row.ts'
import { addUse, dropUse } from '../data/app-files/uses.ts'
import type { AppNeeds, AppServices } from './services.ts'

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

/** Judges the paths and sizes of pushed files, however they came. Errors: `invalid_arg`. */
export async function judgeFiles(files: ReadonlyMap<string, Uint8Array>, limits: Limits): Promise<void> {
  const judge = openJudge(limits)
  for await (const [path, bytes] of inTurns(files, TURN_FILES)) judge.file(path, bytes.length)
  await judge.end()
}

/**
 * Keeps the files of a version and returns where they are: the digest is over the app, the manifest and every file. The
 * record comes before the uses and they before the bytes: so `dropBundles`, should it meet this, puts back what it took
 * away. Errors: `quota_exceeded`, where the owner keeps too much.
 */
export async function keepBundle(
  services: AppNeeds,
  { appId, owner }: BundleOwner,
  manifest: Manifest,
  files: ReadonlyMap<string, Uint8Array>,
): Promise<{ digest: string; files: VersionRow['files'] }> {
  const kept: [string, FileEntry][] = []
  const sizes = new Map<string, number>()
  let named = Buffer.byteLength(JSON.stringify(manifest))
  for await (const [path, bytes] of inTurns(files, TURN_FILES)) {
    const entry = { digest: await digestInTurns(bytes), size: bytes.length }
    kept.push([path, entry])
    named += Buffer.byteLength(path) + services.limits.BUNDLE_ENTRY_BYTES
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
    size_bytes: [...sizes.values()].reduce((sum, size) => sum + size, named),
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
async function enter(services: AppNeeds, digest: string, row: BundleRow): Promise<void> {
  for (;;) {
    const inserted = await services.store.insert(bundles, digest, row)
    if (inserted.ok) {
      if (
        row.owner === OPERATOR ||
        (await bytesOf(services, row.owner)) <= services.limits.BUNDLES_BYTES_PER_USER
      )
        return
      await services.store.remove(bundles, digest, inserted.record.revision)
      throw tooManyBytes(services.limits, row.size_bytes)
    }
    if (await markBundleUsed(services, digest)) return
  }
}

/** The bytes of all bundles of an owner: drafts, releases, and what a window still shows. */
async function bytesOf({ store }: Pick<AppNeeds, 'store'>, owner: string): Promise<number> {
  let sum = 0
  for await (const { row } of each(store, bundles, 'byOwner', { eq: [owner] })) sum += row.size_bytes
  return sum
}

const tooManyBytes = ({ BUNDLES_BYTES_PER_USER: max }: Limits, size: number) =>
  refuse(
    'quota_exceeded',
    `a version of ${size} bytes does not fit: the apps of a user may keep at most ${max} bytes of drafts and releases`,
    {
      limit: 'BUNDLES_BYTES_PER_USER',
      max,
      size,
      hint: 'Delete a release or an app. A replaced draft is deleted when its windows are closed or reloaded.',
    },
  )

/** Notes that a bundle is used now, or was replaced; `false` where there is none. */
export async function markBundleUsed(
  { store, clock }: Pick<AppNeeds, 'store' | 'clock'>,
  digest: string,
  how: 'used' | 'replaced' = 'used',
): Promise<boolean> {
  const noted = await update(store, bundles, digest, (row) => {
    const used_at = clock.now()
    return row && { ...row, used_at, replaced_at: how === 'replaced' ? used_at : null }
  })
  return noted !== null
}

/** Files that are dropped before others have their turn. */
const TURN_DROPS = 50
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
    await markBundleUsed(services, digest, 'replaced')
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
  for await (const file of inTurns(digests, TURN_DROPS)) await dropUse(services, file, bundle, isBack)
  await pause()
}
