import { type Grants, grantsSchema, type Manifest, wrongArgs } from '@svc/contract'
import * as z from '@svc/contract/zod'
import { declares, grantOf } from '../access/manifest.ts'

/** What decides for which apps a platform tool is. */
export interface NamedTool {
  readonly name: string
  readonly dev_safe: boolean
}

/** Which of the two checks keeps a platform tool from the sessions of an app, and what would let it through. */
export interface Block {
  readonly by: 'manifest' | 'user_grant'
  readonly hint: string
}

/** The platform tools that a manifest names; `undefined`: it does not say, and an empty list names none. */
const saidTools = (manifest: Manifest): readonly string[] | undefined => manifest.ui.host_api.agent?.tools

/** The platform tools that a manifest names. */
export const namedTools = (manifest: Manifest): readonly string[] => saidTools(manifest) ?? []

/** The platform tools that the user granted. */
export const grantedTools = (grants: Grants): readonly string[] => grants.agent?.platform_tools ?? []

/**
 * What keeps a platform tool from an app; `null`: nothing. A manifest that does not say which is
 * taken to name those that are `dev_safe`.
 */
export function blockedBy({ name, dev_safe }: NamedTool, manifest: Manifest, grants: Grants): Block | null {
  const said = saidTools(manifest)
  const quoted = JSON.stringify(name)
  if (said === undefined ? !dev_safe : !said.includes(name))
    return { by: 'manifest', hint: `Add ${quoted} to ui.host_api.agent.tools in the manifest.` }
  if (!grantedTools(grants).includes(name))
    return { by: 'user_grant', hint: `Install the app with agent: {"platform_tools": [${quoted}]}.` }
  return null
}

const wrapped = z.object({ grants: grantsSchema.default({}) })

/** Reads the grants of an install; absent means none. Errors: `invalid_arg`. */
export function readGrants(grants: unknown): Grants {
  const body = grants === undefined ? {} : { grants }
  const parsed = wrapped.safeParse(body)
  if (!parsed.success) throw wrongArgs(parsed.error, body)
  return parsed.data.grants
}

/**
 * Every grant that a manifest asks for: what the harness gives the operator's own apps. With an agent submode these
 * are the platform tools that it names, or those that are `dev_safe` where it does not say.
 */
export function grantsAskedBy(manifest: Manifest, platformTools: ReadonlyMap<string, NamedTool>): Grants {
  const { host_api, csp = {}, browser = [] } = manifest.ui
  const names = (ns: string) => Object.hasOwn(host_api, ns)
  return {
    ...Object.fromEntries([...grantOf].filter(([ns]) => names(ns)).map(([, grant]) => [grant, true])),
    ...(csp.connect_src?.length && { connect_src: csp.connect_src }),
    ...(csp.img_src?.length && { img_src: csp.img_src }),
    ...(browser.length > 0 && { browser }),
    ...((names('storage') || names('files')) && { allowed_scopes: ['shared'] }),
    ...(declares(manifest, 'agent', 'session.create').admitted && {
      agent: { platform_tools: toolsAskedBy(manifest, platformTools), inherit_host_tools: true },
    }),
  }
}

/**
 * Adds to the grants of an install what a manifest asks for and the one before it did not: what its user took back stays
 * taken back.
 */
export const withNewGrants = (given: Grants, asked: Grants, before: Grants): Grants =>
  withNew(given, asked, before) as Grants

function withNew(given: unknown, asked: unknown, before: unknown): unknown {
  if (Array.isArray(asked)) {
    const old = Array.isArray(before) ? before : []
    const kept = Array.isArray(given) ? given : []
    return [...new Set([...kept, ...asked.filter((one) => !old.includes(one))])]
  }
  if (!isTree(asked)) return before === undefined ? asked : given
  const tree = isTree(given) ? given : {}
  const old = isTree(before) ? before : {}
  const added = Object.entries(asked).map(([key, value]) => [key, withNew(tree[key], value, old[key])])
  return { ...tree, ...Object.fromEntries(added.filter(([, value]) => value !== undefined)) }
}

const isTree = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function toolsAskedBy(manifest: Manifest, platformTools: ReadonlyMap<string, NamedTool>): string[] {
  const said = saidTools(manifest)
  if (said !== undefined) return [...said]
  return [...platformTools.values()].filter((tool) => tool.dev_safe).map((tool) => tool.name)
}
