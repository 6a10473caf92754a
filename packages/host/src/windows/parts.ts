import { refuse } from '@svc/contract'
import { all } from '@svc/state'
import { type WindowRow, windows } from '../catalog/records.ts'
import type { House } from '../house.ts'
import { statusAt } from './silence.ts'
import type { WindowRecord } from './windows.ts'

/** What windows need of the house. `apps` is read at the time of a call: the two know each other. */
export type WindowParts = Pick<
  House,
  'clock' | 'newId' | 'limits' | 'log' | 'store' | 'copies' | 'tokens' | 'events' | 'apps' | 'underWay'
>

/** Every open window under a key of an index, in its order. */
export async function openWindowsUnder(
  house: Pick<House, 'clock' | 'limits' | 'store'>,
  index: 'openByUser' | 'openByView' | 'openByVersion' | 'openByDigest',
  eq: readonly string[],
): Promise<WindowRecord[]> {
  const now = house.clock.now()
  const found = await all(house.store, windows, index, { eq })
  return found.filter(({ row }) => statusAt(row, now, house.limits) !== 'closed')
}

/** The refusal for a window that is unknown, closed or another's: the three look the same. */
export const noSuchWindow = () => refuse('not_found', 'there is no open window of that id for this user')

/** An open window of this user. Errors: `not_found`. */
export async function ownWindow(
  house: Pick<House, 'clock' | 'copies' | 'limits'>,
  userId: string,
  uuid: string,
): Promise<WindowRecord> {
  const record = await house.copies.windows.get(uuid)
  if (record?.row.user_id !== userId) throw noSuchWindow()
  if (statusAt(record.row, house.clock.now(), house.limits) === 'closed') throw noSuchWindow()
  return record
}

/** The highest `z` among windows; 0 where there is none. */
export const topOf = (records: readonly { readonly row: WindowRow }[]): number =>
  records.reduce((top, { row }) => Math.max(top, row.geometry.z), 0)
