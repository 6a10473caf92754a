import {
  type BrowserPermission,
  type GrantName,
  type Grants,
  type Manifest,
  methodRow,
  methodRows,
  type Plug,
  wrongArg,
} from '@svc/contract'

/** What the check of manifest and grants says of one `ns.method`. */
export type Verdict =
  | { readonly admitted: true }
  | { readonly admitted: false; readonly deniedBy: 'manifest' | 'grant'; readonly hint: string }

/** The per-app grant that a namespace needs besides its declaration. */
export const grantOf: ReadonlyMap<string, GrantName> = new Map([
  ['image', 'image_grant'],
  ['upload', 'upload_grant'],
  ['web', 'web_grant'],
  ['credentials', 'credentials_grant'],
])

const admitted: Verdict = { admitted: true }
const byManifest = (hint: string): Verdict => ({ admitted: false, deniedBy: 'manifest', hint })

/** How each namespace that is not a plain list of method names is declared. */
const declarations: ReadonlyMap<string, (manifest: Manifest) => Verdict> = new Map([
  ['window', () => admitted],
  ['tools', tools],
  ['agent', agent],
])

function tools(manifest: Manifest): Verdict {
  const declares =
    manifest.required_plugs.length > 0 ||
    manifest.optional_plugs.length > 0 ||
    manifest.ui.host_api.tools !== undefined
  return declares ? admitted : byManifest('Declare the plugin under required_plugs or optional_plugs.')
}

function agent(manifest: Manifest): Verdict {
  const session = manifest.ui.host_api.agent?.session
  return session?.auto || session?.fixed
    ? admitted
    : byManifest('Enable a submode: ui.host_api.agent.session.auto or .fixed.')
}

function listed(manifest: Manifest, ns: string, method: string): Verdict {
  const entry = Object.hasOwn(manifest.ui.host_api, ns) ? manifest.ui.host_api[ns] : undefined
  const names: readonly string[] = Array.isArray(entry) ? entry : []
  const row = methodRow(ns, method)
  const name = row?.declaredBy ?? method
  if (names.includes(name) || names.includes('*')) return admitted
  return byManifest(
    row ? `Add ${JSON.stringify(name)} to ui.host_api.${ns} in the manifest.` : noSuchMethod(ns),
  )
}

/** A line in the manifest would not help a name that is no method. */
function noSuchMethod(ns: string): string {
  const known = methodRows().flatMap(([space, name]) => (space === ns ? [name] : []))
  return known.length > 0
    ? `There is no such method; ${ns} has ${known.join(', ')}.`
    : 'There is no such namespace; svc.window.hello() lists what this window may call.'
}

/** Whether the manifest declares `ns.method`: the first check. */
export function declares(manifest: Manifest, ns: string, method: string): Verdict {
  return declarations.get(ns)?.(manifest) ?? listed(manifest, ns, method)
}

/** Whether the user granted what `ns` needs besides: the second check. */
export function grants(granted: Grants, ns: string): Verdict {
  const name = grantOf.get(ns)
  if (name === undefined || granted[name] === true) return admitted
  return { admitted: false, deniedBy: 'grant', hint: `Install the app with ${name}: true.` }
}

/** What an app may ask of its user's browser: what the manifest declares and the user granted. */
export const permitted = (manifest: Manifest, { browser = [] }: Grants): readonly BrowserPermission[] =>
  (manifest.ui.browser ?? []).filter((one) => browser.includes(one))

/** Every `ns.method` that a window may call and that is offered: the scopes of its token, and what `hello` tells it. */
export function admittedMethods(manifest: Manifest, granted: Grants): string[] {
  return methodRows()
    .filter(
      ([ns, method, row]) =>
        !row.stub && declares(manifest, ns, method).admitted && grants(granted, ns).admitted,
    )
    .map(([ns, method]) => `${ns}.${method}`)
}

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
