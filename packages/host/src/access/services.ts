import type { CatalogServices } from '../catalog/services.ts'
import type { Audit } from './audit/audit.ts'
import type { EntryTickets } from './tokens/entry-tickets.ts'
import type { Tokens } from './tokens/tokens.ts'
import type { UnderWay } from './users/under-way.ts'
import type { OpenUsers } from './users/users.ts'

/** With who somebody is, what he may, and what is noted of it. */
export interface AccessServices extends CatalogServices {
  readonly tokens: Tokens
  /** What the URLs of entry documents carry. */
  readonly tickets: EntryTickets
  readonly users: OpenUsers
  /** The calls, and the requests of users, that are under way. */
  readonly underWay: UnderWay
  /** Who did what, when, and how it ended. */
  readonly audit: Audit
}
