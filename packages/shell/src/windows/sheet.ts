import { frontOf } from '../geometry/z-order.ts'
import type { DeskState, Sheet } from '../state/state.ts'

/** The sheet that a small screen shows: what was asked for, else the apps where no window is in front. */
export function shownSheet({ small, sheet, windows }: DeskState): Sheet | null {
  if (!small) return null
  return sheet ?? (frontOf(windows) ? null : 'apps')
}
