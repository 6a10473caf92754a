import { icons } from '../components/icons.tsx'
import { useDesk, useDeskState } from '../components/use-desk.ts'
import type { Sheet } from '../state/state.ts'
import { shownSheet } from '../windows/sheet.ts'
import styles from './screen-bar.module.css'

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
