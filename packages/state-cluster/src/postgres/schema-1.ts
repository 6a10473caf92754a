import { declarations } from './schema-1/declarations.ts'
import { scans } from './schema-1/scans.ts'
import { tables } from './schema-1/tables.ts'
import { writes } from './schema-1/writes.ts'

/**
 * The first schema, in the PostgreSQL schema `s`. A record has one row, and for each index that it is in one entry. Both
 * name it by `id`, which is short enough for an index. A declaration is one way to index a collection: hosts of two
 * versions may have two, and a write of one leaves a note for the other (`stale`) to index the row in its own way.
 */
export const schema1 = (s: string): string =>
  [tables, declarations, writes, scans].map((part) => part(s)).join('')
