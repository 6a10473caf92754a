import { isSemver, type Manifest, refuse, wrongArg } from '@svc/contract'
import { plugs, type SnapshotRecord } from '../catalog/plug-row.ts'
import { findSnapshot, newest, offered } from '../catalog/plug-versions.ts'
import { DRAFT_VERSION, fileOf, type VersionRow, versions } from '../catalog/records.ts'
import { type DeclaredPlugin, declaredIn } from '../plugins/deployments/declared.ts'
import { FIRST_SEQ, freeze } from '../plugins/publishing/snapshots.ts'
import { notReady } from '../windows/bundle-url.ts'
import { holdBundle } from './bundles.ts'
import { lacksOf, mayUse } from './lacks.ts'
import { findVersion, ownApp } from './own-app.ts'
import type { AppNeeds, AppServices } from './services.ts'

type PinParts = Pick<AppServices, 'clock' | 'copies' | 'limits' | 'store'>

/**
 * The version of each published plugin that a release of this manifest keeps: the one that its plug names,
 * else the one that is offered. The owner's own plugin that has no version yet gets its first one. Configured plugins
 * have no versions. Errors: `invalid_arg`, which names the plugin.
 */
async function pinsOf(
  parts: PinParts,
  owner: string,
  manifest: Manifest,
): Promise<Readonly<Record<string, string>>> {
  checkPlugVersions(manifest)
  const pins: [toolId: string, version: string][] = []
  for (const declared of declaredIn(manifest).all)
    pins.push([declared.tool_id, (await pinned(parts, owner, declared)).row.version])
  return Object.fromEntries(pins)
}

/** Two plugs of one plugin cannot want two versions of it. Errors: `invalid_arg`. */
function checkPlugVersions({ required_plugs, optional_plugs }: Manifest): void {
  const asked = new Map<string, string | undefined>()
  for (const plug of [...required_plugs, ...optional_plugs]) {
    const { tool_id, version } = typeof plug === 'string' ? { tool_id: plug } : plug
    if (tool_id === undefined) continue
    if (asked.has(tool_id) && asked.get(tool_id) !== version)
      throw refuse('invalid_arg', `the manifest declares ${tool_id} twice, at two versions`, {
        path: 'manifest',
        hint: 'Leave one of the two plugs out.',
      })
    asked.set(tool_id, version)
  }
}

async function pinned(
  parts: PinParts,
  owner: string,
  { tool_id, version }: DeclaredPlugin,
): Promise<SnapshotRecord> {
  const plug = await parts.store.get(plugs, tool_id)
  if (!mayUse(plug, owner))
    throw refuse('invalid_arg', `the manifest declares ${tool_id}, which the owner of this app cannot use`, {
      path: 'manifest',
      hint: 'Publish it, have its author make it public, or take it out of required_plugs and optional_plugs.',
    })
  const isFirst = plug.row.owner === owner && (version ?? plug.row.version) === plug.row.version
  if (isFirst && !(await newest(parts, tool_id))) await freeze(parts, tool_id, FIRST_SEQ, plug.row)
  const found = version === null ? await offered(parts, tool_id) : await findSnapshot(parts, tool_id, version)
  if (found && found.row.status !== 'yanked') return found
  const what = version === null ? 'no version that is offered' : `no version ${JSON.stringify(version)}`
  throw refuse('invalid_arg', `the manifest declares ${tool_id}, which has ${what}`, {
    path: 'manifest',
    hint: found?.row.successor
      ? `It was yanked. Use its successor ${found.row.successor} instead.`
      : 'Publish a version of it, or name one that is not yanked.',
  })
}

/** Refuses an app that says itself that it cannot work on this host. Errors: `invalid_arg`. */
async function refuseUseless(services: AppNeeds, owner: string, manifest: Manifest): Promise<void> {
  const lack = (await lacksOf(services, owner, manifest)).find(({ required }) => required)
  if (!lack) return
  throw refuse('invalid_arg', `the app cannot work here: ${lack.problem}`, {
    path: `manifest.${lack.where}`,
    hint: `${lack.hint} To release it all the same: svc app release --force, or "force": true.`,
  })
}

const VERSION_MAX_CHARS = 64

/** What is released, and under which version; `force`: also where this host has not what the app requires. */
export interface ReleaseInput {
  readonly version: unknown
  readonly force?: boolean | undefined
}

/**
 * Freezes the draft under a version: a copy of its row, so that later pushes leave it alone, with the versions of the
 * published plugins that it declares, so that publishing does too.
 * Errors: `not_found`, `invalid_arg`, `bundle_not_ready`, `conflict` (the app has that version, or got
 * another draft meanwhile), `quota_exceeded`.
 */
export async function releaseDraft(
  services: AppNeeds,
  userId: string,
  appId: string,
  { version, force = false }: ReleaseInput,
) {
  await ownApp(services, userId, appId)
  if (typeof version !== 'string' || version.length > VERSION_MAX_CHARS || !isSemver(version))
    throw wrongArg('version', `must be SemVer such as 1.0.0, got ${JSON.stringify(version) ?? 'nothing'}`)
  if (version === DRAFT_VERSION)
    throw wrongArg('version', `must not be ${DRAFT_VERSION}, which is the working draft`)
  const draft = await findVersion(services, appId, DRAFT_VERSION)
  if (!draft) throw refuse('bundle_not_ready', 'the app has no draft to release', { hint: 'Push one first.' })
  const { entry } = draft.row.manifest.ui.bundle
  if (!fileOf(draft.row.files, entry)) throw notReady(entry)
  const pins = await pinsOf(services, userId, draft.row.manifest)
  if (!force) await refuseUseless(services, userId, draft.row.manifest)
  const row = { ...draft.row, version, pins, created_at: services.clock.now() }
  const version_id = await holdBundle(services, row.digest, async () => {
    const now = await findVersion(services, appId, DRAFT_VERSION)
    return now?.row.digest === row.digest ? writeRelease(services, row) : null
  })
  // A push in between replaced the draft that was read. Its files are gone, or a push that has them again is bringing them.
  if (version_id === null)
    throw refuse('conflict', 'another draft was pushed meanwhile', { hint: 'Release again.' })
  return { version_id, version, pins }
}

/** Writes the row of a release; returns its id. */
async function writeRelease(services: AppNeeds, row: VersionRow): Promise<string> {
  const { app_id, version } = row
  const max = services.limits.RELEASES_PER_APP
  const inserted = await services.store.insert(versions, services.newId('version'), row, {
    caps: [
      { name: 'version', index: 'byApp', eq: [app_id, version], max: 1 },
      { name: 'releases', index: 'released', eq: [app_id], max },
    ],
  })
  if ('full' in inserted && inserted.full === 'releases') throw tooMany(max)
  if (!inserted.ok) throw refuse('conflict', `the version ${version} of this app has already been released`)
  return inserted.record.id
}

const tooMany = (max: number) =>
  refuse('quota_exceeded', `an app may have at most ${max} releases`, {
    limit: 'RELEASES_PER_APP',
    max,
    hint: 'Delete one that nobody has installed.',
  })
