import { refuse } from '@svc/contract'
import { all, type StoreRecord } from '@svc/state'
import { type InstallRow, type WindowRow, windows } from '../catalog/records.ts'
import type { WindowServices } from './services.ts'
import { statusAt } from './silence.ts'
import type { WindowRecord } from './windows.ts'

/** What windows need of the services below them. */
export type WindowParts = Pick<
  WindowServices,
  | 'clock'
  | 'newId'
  | 'limits'
  | 'log'
  | 'store'
  | 'copies'
  | 'tokens'
  | 'events'
  | 'settings'
  | 'tickets'
  | 'underWay'
>

/** What windows need of the apps, which stand above them. */
export interface InstallFinder {
  /** The user's install of an app, installing a configured app on first sight; `null` when there is none. */
  installOf(userId: string, appId: string): Promise<StoreRecord<InstallRow> | null>
}

/** Every open window under a key of an index, in its order. */
export async function openWindowsUnder(
  services: Pick<WindowServices, 'clock' | 'limits' | 'store'>,
  index: 'openByUser' | 'openByView' | 'openByVersion' | 'openByDigest',
  eq: readonly string[],
): Promise<WindowRecord[]> {
  const now = services.clock.now()
  const found = await all(services.store, windows, index, { eq })
  return found.filter(({ row }) => statusAt(row, now, services.limits) !== 'closed')
}

/** The refusal for a window that is unknown, closed or another's: the three look the same. */
export const noSuchWindow = () => refuse('not_found', 'there is no open window of that id for this user')

/** An open window of this user. Errors: `not_found`. */
export async function ownWindow(
  services: Pick<WindowServices, 'clock' | 'copies' | 'limits'>,
  userId: string,
  uuid: string,
): Promise<WindowRecord> {
  const record = await services.copies.windows.get(uuid)
  if (record?.row.user_id !== userId) throw noSuchWindow()
  if (statusAt(record.row, services.clock.now(), services.limits) === 'closed') throw noSuchWindow()
  return record
}

/** The highest `z` among windows; 0 where there is none. */
export const topOf = (records: readonly { readonly row: WindowRow }[]): number =>
  records.reduce((top, { row }) => Math.max(top, row.geometry.z), 0)
