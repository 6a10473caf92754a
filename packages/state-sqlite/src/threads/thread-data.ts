import type { Durability } from './database.ts'
import type { RoleName } from './roles.ts'

/** What a thread is started with. */
export interface ThreadData {
  readonly role: RoleName
  readonly dir: string
  readonly durability: { readonly records: Durability; readonly journals: Durability }
  readonly maxBytes?: number | undefined
  /** Whether records are read by another connection than the one that writes them. */
  readonly hasReader: boolean
  /** What tells one start of the machine from another; null where the system does not say. */
  readonly boot: string | null
}
