import { type Manifest, type Plug, wrongArg } from '@svc/contract'

/** A tool as a call names it, parsed once: access and dispatch use the same pair. */
export interface ToolName {
  /** What names the plugin: its `tool_id`, or the handle that the manifest uses. */
  readonly plugin: string
  readonly tool: string
}

const SEPARATOR = /__|\./

/**
 * Parses `tool_id` and `method`. With `method` the id stands as it is;
 * without, it is split at whichever of `__` and `.` comes first.
 */
export function parseToolName(toolId: string, method: string | undefined): ToolName {
  if (method === '') throw wrongArg('method', 'must have at least 1 character, got ""')
  if (method !== undefined) return { plugin: toolId, tool: method }
  const found = SEPARATOR.exec(toolId)
  if (!found)
    throw wrongArg('method', `is required, because tool_id ${JSON.stringify(toolId)} names no tool`, {
      hint: 'Send method beside tool_id, or write the two as tool_id.method.',
    })
  const plugin = toolId.slice(0, found.index)
  const tool = toolId.slice(found.index + found[0].length)
  if (plugin === '' || tool === '')
    throw wrongArg('tool_id', `must name a plugin and a tool, got ${JSON.stringify(toolId)}`)
  return { plugin, tool }
}

/** A plug that a manifest declares, and under which of its two lists. */
export interface DeclaredPlug {
  readonly kind: 'required' | 'optional'
  readonly toolId: string | null
  readonly handle: string | null
}

/** The plugs of a manifest in one list. */
export function declaredPlugs(manifest: Manifest): DeclaredPlug[] {
  const row =
    (kind: DeclaredPlug['kind']) =>
    (plug: Plug): DeclaredPlug =>
      typeof plug === 'string'
        ? { kind, toolId: plug, handle: null }
        : { kind, toolId: plug.tool_id ?? null, handle: plug.handle ?? null }
  return [...manifest.required_plugs.map(row('required')), ...manifest.optional_plugs.map(row('optional'))]
}

/** A plugin by its two names. */
export interface PluginNames {
  readonly tool_id: string
  readonly handle: string
}

/** Whether a declared plug means this plugin: by its id, or by its handle where the manifest gives one. */
const means = (plug: DeclaredPlug, plugin: PluginNames): boolean =>
  plug.toolId === plugin.tool_id || plug.toolId === plugin.handle || plug.handle === plugin.handle

/** The forms that an entry of `ui.host_api.tools` may have. */
const forms: readonly ((entry: string, plug: DeclaredPlug, plugin: PluginNames) => boolean)[] = [
  (entry, plug) => entry === `${plug.kind}:*`,
  (entry, _plug, plugin) => entry === plugin.tool_id || entry === plugin.handle,
  (entry, plug, plugin) => entry === `${plug.kind}:${plugin.handle}`,
  (entry, _plug, plugin) => entry === `bundled:${plugin.handle}`,
  (entry, _plug, plugin) => entry.endsWith(`:${plugin.tool_id}`),
]

/**
 * The tool ACL: `null` when the app may use the plugin, else the sentence that says which
 * manifest line would allow it.
 */
export function toolDenial(manifest: Manifest, plugin: PluginNames): string | null {
  const plugs = declaredPlugs(manifest).filter((plug) => means(plug, plugin))
  if (plugs.length === 0) return `Add ${JSON.stringify(plugin.tool_id)} to required_plugs or optional_plugs.`
  const allowed = manifest.ui.host_api.tools ?? []
  if (allowed.length === 0) return null
  const matched = plugs.some((plug) =>
    allowed.some((entry) => forms.some((form) => form(entry, plug, plugin))),
  )
  return matched ? null : `Add ${JSON.stringify(plugin.tool_id)} to ui.host_api.tools.`
}
