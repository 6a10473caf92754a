import type { KernelServices } from '../kernel/services.ts'
import type { Copies } from './copies.ts'

/** With copies of the rows that every call reads. */
export interface CatalogServices extends KernelServices {
  /** Read-through copies of what every call reads: users, windows, installs, versions. */
  readonly copies: Copies
}
