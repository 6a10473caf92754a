import { type Grants, grantsSchema, type Manifest, wrongArgs } from '@svc/contract'
import { z } from 'zod'
import { declares, grantOf } from '../access/manifest/manifest.ts'
import { type NamedTool, namedTools } from './eligible.ts'

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
 * are the platform tools that it names, or those that are `dev_safe` where it names none.
 */
export function grantsAskedBy(manifest: Manifest, platformTools: ReadonlyMap<string, NamedTool>): Grants {
  const { host_api, csp = {} } = manifest.ui
  const names = (ns: string) => Object.hasOwn(host_api, ns)
  return {
    ...Object.fromEntries([...grantOf].filter(([ns]) => names(ns)).map(([, grant]) => [grant, true])),
    ...(csp.connect_src?.length && { connect_src: csp.connect_src }),
    ...(csp.img_src?.length && { img_src: csp.img_src }),
    ...((names('storage') || names('files')) && { allowed_scopes: ['shared'] }),
    ...(declares(manifest, 'agent', 'session.create').admitted && {
      agent: { platform_tools: toolsAskedBy(manifest, platformTools), inherit_host_tools: true },
    }),
  }
}

function toolsAskedBy(manifest: Manifest, platformTools: ReadonlyMap<string, NamedTool>): string[] {
  const named = namedTools(manifest)
  if (named.length > 0) return [...named]
  return [...platformTools.values()].filter((tool) => tool.dev_safe).map((tool) => tool.name)
}
