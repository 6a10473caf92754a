import { engines } from './engines.ts'
import type { PackageRow } from './package-row.ts'
import { pages } from './pages.ts'
import { values } from './values.ts'

/** The packages that are tried, each in an app of its own. */
export const packageRows: readonly PackageRow[] = [...engines, ...pages, ...values]
