import { links } from './links.ts'
import { manifests } from './manifests.ts'
import { processes } from './processes.ts'
import { quotas } from './quotas.ts'
import { schemas } from './schemas.ts'

/** Numbers that are the same on every host: in the schemas of the contract, or read where no host decides. */
export const fixed = {
  ...schemas,
  ...manifests,
  ...quotas,
  ...processes,
  ...links,
} as const
