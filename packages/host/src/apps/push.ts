import type { Manifest } from '@svc/contract'
import { canonicalJson } from '@svc/contract/digest'
import type { StoreRecord } from '@svc/state'
import { DRAFT_VERSION, type VersionRow, versions } from '../catalog/records.ts'
import { openWindowsUnder } from '../catalog/window-row.ts'
import { listTools } from '../plugins/deployments/entries.ts'
import type { Seeker } from '../plugins/deployments/plugins.ts'
import { entryUrl } from '../windows/bundle-url.ts'
import type { Push } from './apps.ts'
import type { BundleOwner } from './bundles.ts'
import { retireBundle } from './drop-bundles.ts'
import { judgeFiles, keepBundle } from './keep-bundle.ts'
import { findVersion } from './own-app.ts'
import { readManifest } from './push-input.ts'
import type { AppNeeds } from './services.ts'

/** What a push did. */
export interface PushResult {
  readonly version_id: string
  readonly version: string
  readonly digest: string
  /** Whether manifest or files differ from the draft before. */
  readonly changed: boolean
}

/**
 * Pushes a working draft. A draft has one `version_id` for good: its row is swapped, so that windows bound to
 * it get the new manifest with their next call. Errors: `invalid_arg`, `quota_exceeded`.
 */
export async function pushDraft(services: AppNeeds, app: BundleOwner, push: Push): Promise<PushResult> {
  const manifest = readManifest(push.manifest, services.limits)
  await judgeFiles(push.files, services.limits)
  return keepBundle(services, app, manifest, push.files, (bundle) =>
    writeDraft(services, {
      app_id: app.appId,
      version: DRAFT_VERSION,
      manifest,
      ...bundle,
      created_at: services.clock.now(),
    }),
  )
}

async function writeDraft(services: AppNeeds, row: VersionRow): Promise<PushResult> {
  for (;;) {
    const before = await findVersion(services, row.app_id, DRAFT_VERSION)
    if (before?.row.digest === row.digest) return pushed(before, false)
    const written = before
      ? await services.store.swap(versions, before.id, before.revision, row)
      : await services.store.insert(versions, services.newId('version'), row, {
          caps: [{ name: 'draft', index: 'byApp', eq: [row.app_id, DRAFT_VERSION], max: 1 }],
        })
    if (!written.ok) continue
    services.copies.versions.drop(written.record.id, written.record)
    await notifyWindows(services, written.record, before?.row)
    if (before) await retireBundle(services, before.row.digest, written.record.id)
    return pushed(written.record, true)
  }
}

const pushed = ({ id, row }: StoreRecord<VersionRow>, changed: boolean): PushResult => ({
  version_id: id,
  version: row.version,
  digest: row.digest,
  changed,
})

/** What decides which tools an app may call. */
const toolsOf = ({ required_plugs, optional_plugs, ui }: Manifest) =>
  canonicalJson({ required_plugs, optional_plugs, tools: ui.host_api.tools })

/** Notifies the open windows of the draft that there is another one, and that their tools changed if they did. */
async function notifyWindows(
  services: AppNeeds,
  version: StoreRecord<VersionRow>,
  before: VersionRow | undefined,
) {
  const { app_id, manifest } = version.row
  const mayDiffer = before !== undefined && toolsOf(before.manifest) !== toolsOf(manifest)
  const asked = new Set<string>()
  for (const { id, row } of await openWindowsUnder(services, 'openByVersion', [version.id])) {
    const url = entryUrl(services, version.row, id)
    if (url !== null)
      services.events.emit(row.user_id, 'bundle_changed', id, {
        app_id,
        version_id: version.id,
        entry_url: url,
      })
    if (
      mayDiffer &&
      (await hasOtherTools(services, { userId: row.user_id, window: { id } }, [before, version.row]))
    )
      services.events.emit(row.user_id, 'tools.changed', id, {})
    asked.add(row.user_id)
  }
  for (const userId of asked) await services.events.told(userId)
}

/** Whether `tools.list` returns something else to a user at another version. */
async function hasOtherTools(
  services: AppNeeds,
  whose: Pick<Seeker, 'userId' | 'window'>,
  versions: readonly [before: VersionRow, after: VersionRow],
) {
  const listed = await Promise.all(versions.map((version) => listTools(services, { ...whose, version })))
  return canonicalJson(listed[0]) !== canonicalJson(listed[1])
}
