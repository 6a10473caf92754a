import { panels } from '../panels/panels.tsx'
import { PanelButton } from './panel-button.tsx'
import { RoomButton } from './room-button.tsx'
import { ThemeSwitch } from './theme-switch.tsx'
import styles from './top-bar.module.css'
import { useDesk, useDeskState } from './use-desk.ts'

/** The bar at the top: whose page it is, how the host is, and what can be shown beside the desktop. */
export function TopBar() {
  const desk = useDesk()
  const host = useDeskState((state) => state.host)
  return (
    <header className={styles.bar}>
      <img alt="" height="26" src="/favicon.svg" width="26" />
      <h1 className={styles.name}>svc</h1>
      <span className={styles.host} data-host={host}>
        {host === 'there' ? 'connected' : 'host is gone, trying again'}
      </span>
      <span className={styles.gap} />
      <button
        aria-label={desk.user === null ? 'Change name' : `${desk.user}, change name`}
        className={styles.user}
        onClick={() => desk.changeName()}
        title="Change name"
        type="button"
      >
        {desk.user ?? 'Change name'}
      </button>
      <RoomButton />
      {panels.map((panel) => (
        <PanelButton key={panel.id} panel={panel} />
      ))}
      <ThemeSwitch />
    </header>
  )
}
