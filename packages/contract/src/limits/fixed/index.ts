import { links } from './links.ts'
import { lists } from './lists.ts'
import { manifests } from './manifests.ts'
import { processes } from './processes.ts'
import { quotas } from './quotas.ts'
import { schemas } from './schemas.ts'

/** Numbers that are the same on every host: in the schemas of the contract, or read where no host decides. */
export const fixed = {
  ...schemas,
  ...manifests,
  ...lists,
  ...quotas,
  ...processes,
  ...links,
} as const
