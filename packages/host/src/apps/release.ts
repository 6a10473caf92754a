import { isSemver, refuse, wrongArg } from '@svc/contract'
import { DRAFT_VERSION, fileOf, versions } from '../catalog/records.ts'
import { notReady } from '../windows/bundle-url.ts'
import { useBundle } from './bundles.ts'
import { type AppParts, findVersion, ownApp } from './parts.ts'
import { pinsOf } from './pins.ts'

const VERSION_MAX_CHARS = 64

/**
 * Freezes the draft under a version: a copy of its row, so that later pushes leave it alone, with the versions of the
 * published plugins that it declares, so that publishing does too.
 * Errors: `not_found`, `invalid_arg`, `bundle_not_ready`, `conflict` (the app has that version, or got
 * another draft meanwhile), `quota_exceeded`.
 */
export async function releaseDraft(services: AppParts, userId: string, appId: string, version: unknown) {
  await ownApp(services, userId, appId)
  if (typeof version !== 'string' || version.length > VERSION_MAX_CHARS || !isSemver(version))
    throw wrongArg('version', `must be SemVer such as 1.0.0, got ${JSON.stringify(version) ?? 'nothing'}`)
  if (version === DRAFT_VERSION)
    throw wrongArg('version', `must not be ${DRAFT_VERSION}, which is the working draft`)
  const draft = await findVersion(services, appId, DRAFT_VERSION)
  if (!draft) throw refuse('bundle_not_ready', 'the app has no draft to release', { hint: 'Push one first.' })
  const { entry } = draft.row.manifest.ui.bundle
  if (!fileOf(draft.row.files, entry)) throw notReady(entry)
  const max = services.limits.RELEASES_PER_APP
  const pins = await pinsOf(services, userId, draft.row.manifest)
  const row = { ...draft.row, version, pins, created_at: services.clock.now() }
  const inserted = await services.store.insert(versions, services.newId('version'), row, {
    caps: [
      { name: 'version', index: 'byApp', eq: [appId, version], max: 1 },
      { name: 'releases', index: 'released', eq: [appId], max },
    ],
  })
  if ('full' in inserted && inserted.full === 'releases') throw tooMany(max)
  if (!inserted.ok) throw refuse('conflict', `the version ${version} of this app is released already`)
  // A push in between may have let the files of the draft go that was read.
  if (!(await useBundle(services, row.digest))) {
    await services.store.remove(versions, inserted.record.id, inserted.record.revision)
    throw refuse('conflict', 'another draft was pushed meanwhile', { hint: 'Release again.' })
  }
  return { version_id: inserted.record.id, version, pins }
}

const tooMany = (max: number) =>
  refuse('quota_exceeded', `an app may have at most ${max} releases`, {
    limit: 'RELEASES_PER_APP',
    max,
    hint: 'Delete one that nobody has installed.',
  })
