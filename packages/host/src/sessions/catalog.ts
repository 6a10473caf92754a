import { type Methods, type ResultOf, refuse } from '@svc/contract'
import type { House } from '../house.ts'
import type { InstallRow, VersionRow } from '../records.ts'

/** The catalog of platform tools for an app of a user (spec §2.11). */
export function catalogOf(
  _house: House,
  _version: VersionRow,
  _install: InstallRow,
): ResultOf<Methods['agent']['session.catalog']> {
  throw refuse('not_implemented')
}
