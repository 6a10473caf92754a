import { icons } from '../components/icons.tsx'
import { useDesk, useDeskState } from '../components/use-desk.ts'
import { frontOf } from '../geometry/z-order.ts'
import type { DeskState, Sheet } from '../state/state.ts'
import styles from './screen-bar.module.css'

/** The sheet that a small screen shows: what was asked for, else the apps where no window is in front. */
export function shownSheet({ small, sheet, windows }: DeskState): Sheet | null {
  if (!small) return null
  return sheet ?? (frontOf(windows) ? null : 'apps')
}

/** The bar at the foot of a small screen: it leads to the apps, to the open windows, and back. */
export function ScreenBar() {
  const count = useDeskState(({ windows }) => windows.length)
  return (
    <nav aria-label="Screens" className={styles.bar} id="tasks">
      <ScreenButton icon={icons.apps} label="Apps" sheet="apps" />
      <ScreenButton icon={icons.windows} label={`Windows (${count})`} sheet="windows" />
    </nav>
  )
}

function ScreenButton({ sheet, label, icon }: { sheet: Sheet; label: string; icon: React.ReactNode }) {
  const desk = useDesk()
  const isShown = useDeskState((state) => shownSheet(state) === sheet)
  return (
    <button
      aria-current={isShown ? 'page' : undefined}
      className={styles.button}
      onClick={() => desk.showSheet(isShown ? null : sheet)}
      type="button"
    >
      {icon}
      {label}
    </button>
  )
}
