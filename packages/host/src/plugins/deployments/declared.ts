import type { Manifest } from '@svc/contract'
import { isPublishedId } from '../publishing/tool-id.ts'

/** A published plugin as a manifest declares it. */
export interface DeclaredPlugin {
  readonly tool_id: string
  /** The name that the manifest gives it; its id where it gives none. */
  readonly handle: string
  /** The version that the manifest asks for; `null`: whichever is offered. */
  readonly version: string | null
}

/** The published plugins that an app declares: each once, and by both its names. */
export interface DeclaredPlugins {
  readonly all: readonly DeclaredPlugin[]
  readonly byName: ReadonlyMap<string, DeclaredPlugin>
}

const read = new WeakMap<Manifest, DeclaredPlugins>()

/**
 * Which published plugins a manifest declares. Of two plugs of one id or handle the first counts, and an id
 * always means its plugin, whoever took it for a handle.
 */
export function declaredIn(manifest: Manifest): DeclaredPlugins {
  const known = read.get(manifest)
  if (known) return known
  const byId = new Map<string, DeclaredPlugin>()
  for (const plug of [...manifest.required_plugs, ...manifest.optional_plugs]) {
    const { tool_id, handle, version } = typeof plug === 'string' ? { tool_id: plug } : plug
    if (tool_id === undefined || !isPublishedId(tool_id) || byId.has(tool_id)) continue
    byId.set(tool_id, { tool_id, handle: handle ?? tool_id, version: version ?? null })
  }
  const all = [...byId.values()]
  const byName = new Map(byId)
  for (const one of all) if (!byName.has(one.handle)) byName.set(one.handle, one)
  const declared = { all, byName }
  read.set(manifest, declared)
  return declared
}
