import { createHash } from 'node:crypto'
import { type Limits, type Manifest, refuse } from '@svc/contract'
import { canonicalJson } from '@svc/contract/digest'
import { inTurns, pause } from '@svc/node'
import { openJudge, shown, whyLeftOut } from '@svc/node/archive'
import { digestInTurns, each, frozenInTurns } from '@svc/state'
import { type FileEntry, OPERATOR, type VersionRow } from '../catalog/records.ts'
import { addUse, putBytes } from '../data/app-files/uses.ts'
import { type BundleOwner, type BundleRow, bundles, releasing, withHold } from './bundles.ts'
import type { AppNeeds } from './services.ts'

const TURN_FILES = 100

/** Judges the names, paths and sizes of pushed files, however they came. Errors: `invalid_arg`. */
export async function judgeFiles(files: ReadonlyMap<string, Uint8Array>, limits: Limits): Promise<void> {
  const judge = openJudge(limits)
  for await (const [path, bytes] of inTurns(files, TURN_FILES)) {
    judge.file(path, bytes.length)
    const why = whyLeftOut(path)
    if (why !== null)
      throw refuse('invalid_arg', `the file ${shown(path)} must not be in a bundle: ${why}`, {
        hint: 'Leave it out, or give it another name.',
      })
  }
  await judge.end()
}

/** Where the files of a version are. */
export interface KeptBundle {
  readonly digest: string
  readonly files: VersionRow['files']
}

/**
 * Keeps the files of a version, and runs `name` with where they are, which writes the version: the digest is over the app,
 * the manifest and every file. Until that is done nobody drops them. The record comes before the uses and they before the
 * bytes, so that `dropBundles` finds what is left of a push that was interrupted. Errors: `quota_exceeded`, where the
 * owner keeps too much.
 */
export async function keepBundle<Result>(
  services: AppNeeds,
  { appId, owner }: BundleOwner,
  manifest: Manifest,
  files: ReadonlyMap<string, Uint8Array>,
  name: (kept: KeptBundle) => Promise<Result>,
): Promise<Result> {
  const kept: [string, FileEntry][] = []
  const contents = new Map<string, Uint8Array>()
  let named = Buffer.byteLength(JSON.stringify(manifest))
  for await (const [path, bytes] of inTurns(files, TURN_FILES)) {
    const entry = { digest: await digestInTurns(bytes), size: bytes.length }
    kept.push([path, entry])
    named += Buffer.byteLength(path) + services.limits.BUNDLE_ENTRY_BYTES
    contents.set(entry.digest, bytes)
  }
  kept.sort(([a], [b]) => (a < b ? -1 : 1))
  await pause()
  const digest = await digestOfContents(appId, manifest, kept)
  const row = {
    used_at: services.clock.now(),
    replaced_at: null,
    holds: 1,
    app_id: appId,
    owner,
    size_bytes: [...contents.values()].reduce((sum, { length }) => sum + length, named),
    files: await frozenInTurns(kept),
    connect_src: manifest.ui.csp?.connect_src ?? [],
    img_src: manifest.ui.csp?.img_src ?? [],
  }
  await pause()
  await enter(services, digest, row)
  return releasing(services, digest, async () => {
    await pause()
    for await (const file of inTurns(contents.keys(), TURN_FILES)) await addUse(services.store, file, digest)
    for await (const [file, bytes] of inTurns(contents, TURN_FILES)) await putBytes(services, file, bytes)
    return name({ digest, files: row.files })
  })
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

/**
 * Writes the record of a bundle down where there is none, and holds it. One that is there has to fit too: who wrote it
 * may have been killed, or may be about to refuse it. Errors: `quota_exceeded`.
 */
async function enter(services: AppNeeds, digest: string, row: BundleRow): Promise<void> {
  const { clock, limits, store } = services
  const mayStay = async () =>
    row.owner === OPERATOR || (await bytesOf(services, row.owner)) <= limits.BUNDLES_BYTES_PER_USER
  for (;;) {
    const inserted = await store.insert(bundles, digest, row)
    if (inserted.ok) {
      if (await mayStay()) return
      await store.remove(bundles, digest, inserted.record.revision)
      throw tooManyBytes(limits, row.size_bytes)
    }
    const old = await store.get(bundles, digest)
    if (!old) continue
    if (!(await mayStay())) throw tooManyBytes(limits, row.size_bytes)
    if ((await store.swap(bundles, digest, old.revision, withHold(old.row, clock.now()))).ok) return
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
