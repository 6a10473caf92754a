import { explain, type Grants, grantsSchema, type Manifest, refuse } from '@svc/contract'
import { z } from 'zod'
import { grantOf } from '../access/manifest.ts'

const wrapped = z.object({ grants: grantsSchema.default({}) })

/** Reads the grants of an install; absent means none. Errors: `invalid_arg`. */
export function readGrants(grants: unknown): Grants {
  const body = grants === undefined ? {} : { grants }
  const parsed = wrapped.safeParse(body)
  if (!parsed.success) throw refuse('invalid_arg', explain(parsed.error, body))
  return parsed.data.grants
}

/** Every grant that a manifest asks for: what the harness gives the operator's own apps. */
export function grantsAskedBy({ ui: { host_api } }: Manifest): Grants {
  const names = (ns: string) => Object.hasOwn(host_api, ns)
  return {
    ...Object.fromEntries([...grantOf].filter(([ns]) => names(ns)).map(([, grant]) => [grant, true])),
    ...(names('storage') && { allowed_scopes: ['shared'] }),
  }
}
