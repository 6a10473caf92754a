import { type Manifest, methodRow, methodRows } from '@svc/contract'
import { type DeclaredPlug, declaredPlugs } from '../access/manifest.ts'
import { type PlugRow, plugs } from '../catalog/plug-row.ts'
import { isPublishedId } from '../plugins/publishing/tool-id.ts'
import type { AppNeeds } from './services.ts'

/** What an app asks for and this host does not have. */
export interface Lack {
  /** The place in the manifest, such as `required_plugs.0`. */
  readonly where: string
  /** What is not there. */
  readonly problem: string
  /** How to put it right. */
  readonly hint: string
  /** Whether the app says that it cannot do without. */
  readonly required: boolean
}

type Parts = Pick<AppNeeds, 'missing' | 'plugins' | 'store'>

/** Lists what the app of a manifest would miss on this host, for users who reach what its owner lets them. */
export async function lacksOf(parts: Parts, owner: string, manifest: Manifest): Promise<Lack[]> {
  const counts = { required: 0, optional: 0 }
  const lacks: Lack[] = []
  for (const plug of declaredPlugs(manifest)) {
    const said = await lackOfPlug(parts, owner, plug)
    const where = `${plug.kind}_plugs.${counts[plug.kind]++}`
    if (said) lacks.push({ where, ...said, required: plug.kind === 'required' })
  }
  return [...lacks, ...lacksOfMethods(parts, manifest)]
}

type Said = Pick<Lack, 'problem' | 'hint'>

async function lackOfPlug(
  { plugins, store }: Parts,
  owner: string,
  { toolId, handle }: DeclaredPlug,
): Promise<Said | null> {
  const name = toolId ?? handle ?? ''
  if (isPublishedId(name)) {
    const plug = await store.get(plugs, name)
    return mayUse(plug, owner) ? null : strange(name)
  }
  const known = await plugins.find({ userId: owner, version: null }, name)
  if (known?.owner !== undefined || !known) return notConfigured(name)
  return known.link ? null : noRunner(name)
}

/** Whether the owner of an app may use a published plugin in it. */
export const mayUse = <Plug extends { readonly row: PlugRow }>(
  plug: Plug | null | undefined,
  owner: string,
): plug is Plug =>
  plug?.row.removed_at === null && (plug.row.owner === owner || plug.row.visibility === 'public')

const strange = (id: string): Said => ({
  problem: `the owner of this app can use no plugin ${JSON.stringify(id)} of this host`,
  hint: 'Publish it here (svc plug publish), or have its author make it public.',
})

const notConfigured = (name: string): Said => ({
  problem: `this host has no plugin ${JSON.stringify(name)}`,
  hint: `svc dev takes it from svc.plugins of package.json, which stays on your machine. Publish it (svc plug publish), then name its tool_id here: {"handle": ${JSON.stringify(name)}, "tool_id": "tool-…"}.`,
})

const noRunner = (name: string): Said => ({
  problem: `this host was started without a runner, so the plugin ${JSON.stringify(name)} never runs here`,
  hint: 'Publish it (svc plug publish): then it runs on the machines of its users.',
})

const namespaces: ReadonlySet<string> = new Set(methodRows().map(([ns]) => ns))
/** What an agent answers with. */
const AGENT_METHOD = 'llm.complete'

function lacksOfMethods({ missing }: Parts, { ui: { host_api } }: Manifest): Lack[] {
  return Object.entries(host_api).flatMap(([ns, declared]): Lack[] => {
    const where = `ui.host_api.${ns}`
    if (!namespaces.has(ns)) return [unknown(where, `the namespace ${ns}`)]
    if (ns === 'agent') return missing.has(AGENT_METHOD) ? [lack(where, 'models, so no agent answers')] : []
    if (ns === 'tools' || !Array.isArray(declared)) return []
    return declared.flatMap((name): Lack[] => {
      if (name !== '*' && !methodRow(ns, name)) return [unknown(where, `the method ${ns}.${name}`)]
      const gone = name === '*' ? [...missing].filter((one) => one.startsWith(`${ns}.`)) : [`${ns}.${name}`]
      return gone.filter((one) => missing.has(one)).map((one) => lack(where, `what is behind ${one}`))
    })
  })
}

const unknown = (where: string, what: string): Lack => ({
  where,
  problem: `this host does not know ${what}`,
  hint: 'Look at its name; a host of an older version may not have it.',
  required: false,
})

const lack = (where: string, what: string): Lack => ({
  where,
  problem: `this host does not have ${what}`,
  hint: 'Its operator can set it up. Let the app do without: capabilities.methods of svc.window.hello names what there is.',
  required: false,
})
