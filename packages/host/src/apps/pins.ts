import { type Manifest, refuse } from '@svc/contract'
import { plugs, type SnapshotRecord } from '../catalog/plug-row.ts'
import { findSnapshot, newest, offered } from '../catalog/plug-versions.ts'
import { type DeclaredPlugin, declaredIn } from '../plugins/deployments/declared.ts'
import { FIRST_SEQ, freeze } from '../plugins/publishing/snapshots.ts'
import type { AppServices } from './services.ts'

type PinParts = Pick<AppServices, 'clock' | 'copies' | 'limits' | 'store'>

/**
 * The version of each published plugin that a release of this manifest keeps: the one that its plug names,
 * else the one that is offered. The owner's own plugin that has no version yet gets its first one. Configured plugins
 * have no versions. Errors: `invalid_arg`, which names the plugin.
 */
export async function pinsOf(
  parts: PinParts,
  owner: string,
  manifest: Manifest,
): Promise<Readonly<Record<string, string>>> {
  holdVersions(manifest)
  const pins: [toolId: string, version: string][] = []
  for (const declared of declaredIn(manifest).all)
    pins.push([declared.tool_id, (await pinned(parts, owner, declared)).row.version])
  return Object.fromEntries(pins)
}

/** Two plugs of one plugin cannot want two versions of it. Errors: `invalid_arg`. */
function holdVersions({ required_plugs, optional_plugs }: Manifest): void {
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
  const mayReach =
    plug?.row.removed_at === null && (plug.row.owner === owner || plug.row.visibility === 'public')
  if (!plug || !mayReach)
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
      ? `It was yanked: ask for ${found.row.successor}, which comes in its place.`
      : 'Publish a version of it, or name one that is not yanked.',
  })
}
