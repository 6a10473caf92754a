import { canonicalJson } from '@svc/contract/digest'
import type { StoreRecord } from '@svc/state'
import { toolDenial } from '../../access/manifest.ts'
import type { PlugRow, SnapshotRow } from '../../catalog/plug-row.ts'
import type { VersionRow } from '../../catalog/records.ts'
import { versionsWithPlug } from '../../catalog/versions-with-plug.ts'
import { openWindowsUnder } from '../../catalog/window-row.ts'
import type { PluginServices } from '../services.ts'
import { choose, type PluginSource, sourceOf } from './choose.ts'
import type { PluginContent } from './content.ts'
import { type DeclaredPlugin, declaredIn } from './declared.ts'
import { entriesOf } from './entries.ts'
import type { KnownPlugin } from './plugins.ts'
import type { ToolsOwner } from './told-tools.ts'

/** A record before and after one write; `null`: there was, or is, none. */
export interface RecordChange<Row> {
  readonly before: StoreRecord<Row> | null
  readonly after: StoreRecord<Row> | null
}

/** What one write of publishing changed of a plugin. */
export interface PluginChange {
  readonly toolId: string
  readonly plug: RecordChange<PlugRow>
  /** The version that is offered; left out where it is the same. */
  readonly offered?: RecordChange<SnapshotRow>
  /** The version that was frozen or marked. */
  readonly version?: RecordChange<SnapshotRow> & { readonly name: string }
}

type NotifyParts = Pick<PluginServices, 'clock' | 'limits' | 'store' | 'copies' | 'events' | 'log'>

/** An open window, with the version of its app. */
interface AppWindow {
  readonly id: string
  readonly userId: string
  readonly version: VersionRow
}

/** The open windows of a user. */
async function* windowsOf(parts: NotifyParts, userId: string): AsyncGenerator<AppWindow> {
  for (const { id, row } of await openWindowsUnder(parts, 'openByUser', [userId])) {
    const version = await parts.copies.versions.get(row.version_id)
    if (version) yield { id, userId, version: version.row }
  }
}

/** The open windows of all users whose app declares a plugin by one of these names. */
async function* windowsWithPlug(parts: NotifyParts, names: readonly string[]): AsyncGenerator<AppWindow> {
  for await (const version of versionsWithPlug(parts.store, names))
    for (const { id, row } of await openWindowsUnder(parts, 'openByVersion', [version.id]))
      yield { id, userId: row.user_id, version: version.row }
}

/** Sends `tools.changed` to those windows for which `isOther` says that the list of their app changed. */
async function notifyWindows(
  parts: NotifyParts,
  windows: AsyncIterable<AppWindow>,
  isOther: (window: AppWindow) => Promise<boolean>,
  about: object = {},
): Promise<void> {
  try {
    for await (const window of windows)
      if (await isOther(window)) parts.events.emit(window.userId, 'tools.changed', window.id, {})
  } catch (err) {
    parts.log.error({ err, ...about }, 'windows were not notified that their tools changed')
  }
}

/** Notifies every open window, or those of one user and app, whose app may use a plugin of the configuration that its tools changed. */
export const notifyConfigured = (
  parts: NotifyParts,
  plugin: KnownPlugin,
  whose?: ToolsOwner,
): Promise<void> =>
  notifyWindows(
    parts,
    whose === undefined
      ? windowsWithPlug(parts, [plugin.tool_id, plugin.handle])
      : windowsOf(parts, whose.userId),
    async ({ version }) =>
      (whose === undefined || version.app_id === whose.appId) &&
      toolDenial(version.manifest, plugin) === null,
    { plugin: plugin.handle },
  )

/** The published plugins that an app declares and may use. */
const usable = ({ manifest }: VersionRow): readonly DeclaredPlugin[] =>
  declaredIn(manifest).all.filter((one) => toolDenial(manifest, one) === null)

/** Notifies the windows of a user in which a plugin has just this content. */
export function notifyStatus(parts: NotifyParts, userId: string, { tool_id, digest }: PluginContent) {
  const source = sourceOf(parts.copies)
  return notifyWindows(parts, windowsOf(parts, userId), async (seeker) => {
    const declared = usable(seeker.version).find((one) => one.tool_id === tool_id)
    return declared ? (await choose(source, seeker, declared, parts.limits))?.digest === digest : false
  })
}

/** Notifies the windows of a user that have a plugin for which `isOther` holds. */
export function notifyLink(parts: NotifyParts, userId: string, isOther: (content: PluginContent) => boolean) {
  const source = sourceOf(parts.copies)
  return notifyWindows(parts, windowsOf(parts, userId), async (seeker) => {
    for (const declared of usable(seeker.version)) {
      const content = await choose(source, seeker, declared, parts.limits)
      if (content?.spec && isOther(content)) return true
    }
    return false
  })
}

/**
 * Notifies windows of what publishing changed: where nobody but its owner can tell the difference the owner's windows
 * are looked at, else those of all users whose app declares the plugin.
 */
export function notifyChange(parts: NotifyParts, change: PluginChange): Promise<void> {
  const { plug, toolId } = change
  const owner = (plug.after ?? plug.before)?.row.owner
  const source = sourceOf(parts.copies)
  const [before, after] = [as(source, change, 'before'), as(source, change, 'after')]
  const isOwnersAlone = owner !== undefined && isOwners(change)
  const windows = isOwnersAlone ? windowsOf(parts, owner) : windowsWithPlug(parts, [toolId])
  return notifyWindows(parts, windows, async (seeker) => {
    const declared = usable(seeker.version).find((one) => one.tool_id === toolId)
    if (!declared) return false
    const [was, is] = [
      await choose(before, seeker, declared, parts.limits),
      await choose(after, seeker, declared, parts.limits),
    ]
    return listed(declared, was) !== listed(declared, is)
  })
}

/** Whether others notice nothing: they cannot see the plugin, or it is only the live record that moved. */
function isOwners({ plug, offered, version }: PluginChange): boolean {
  const [was, is] = [plug.before, plug.after].map((record) =>
    record === null || record.row.removed_at !== null ? 'private' : record.row.visibility,
  )
  return was === is && (was === 'private' || (offered === undefined && version === undefined))
}

/** A source that has one plugin as it was on one side of a change. */
const as = (
  source: PluginSource,
  { toolId, plug, offered, version }: PluginChange,
  side: keyof RecordChange<unknown>,
): PluginSource => ({
  ...source,
  plug: async (id) => (id === toolId ? plug[side] : source.plug(id)),
  offered: async (id) => (offered && id === toolId ? offered[side] : source.offered(id)),
  version: async (id, name) =>
    id === toolId && name === version?.name ? version[side] : source.version(id, name),
})

/** What `tools.list` has of it, whatever its status: a change of status is notified when it happens. */
const listed = ({ tool_id, handle }: DeclaredPlugin, content: PluginContent | undefined): string =>
  canonicalJson(
    content?.spec
      ? entriesOf({ tool_id, handle, description: content.description, status: 'available' })
      : [],
  )
