import type { StoreRecord } from '../port.ts'
import type { Table } from './table.ts'

/** What a store in memory keeps. */
export interface MemoryRecords {
  /** The tables of the collections that were declared, by their names. */
  readonly tables: Map<string, Table>
  /** Records that were there before, of the collections that were not declared yet. */
  readonly loaded: Map<string, StoreRecord<unknown>[]>
  /** At least as high as the revisions of all that was there before. */
  revision: number
}

/** Makes room for records. */
export const emptyRecords = (): MemoryRecords => ({ tables: new Map(), loaded: new Map(), revision: 0 })
