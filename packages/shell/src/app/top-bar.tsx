import { icons } from '../components/icons.tsx'
import { useDesk, useDeskState } from '../components/use-desk.ts'
import { MANAGE_ID } from '../manage-page/manage-page.tsx'
import { panels } from '../panels/panels.tsx'
import { MoreMenu } from './more-menu.tsx'
import { PanelButton } from './panel-button.tsx'
import { ThemeSwitch } from './theme-switch.tsx'
import styles from './top-bar.module.css'

/** The bar at the top: whose page it is, how the host is, and what can be shown beside the desktop. */
export function TopBar() {
  const host = useDeskState((state) => state.host)
  const small = useDeskState((state) => state.small)
  return (
    <header className={styles.bar}>
      <img alt="" height="26" src="./favicon.svg" width="26" />
      <h1 className={styles.name}>svc</h1>
      <span className={styles.host} data-host={host}>
        {host === 'there' ? 'connected' : 'no response, trying again'}
      </span>
      <span className={styles.gap} />
      {!small && (
        <>
          <FindButton />
          <NameButton />
          <ManageButton />
        </>
      )}
      {panels.map((panel) => (
        <PanelButton key={panel.id} panel={panel} />
      ))}
      {small ? <MoreMenu /> : <ThemeSwitch />}
    </header>
  )
}

function FindButton() {
  const desk = useDesk()
  return (
    <button
      aria-keyshortcuts="Control+K"
      className={styles.find}
      onClick={() => desk.showDialog('find')}
      title="Find an app, a window or a command"
      type="button"
    >
      {icons.find}
      <span className={styles.findText}>Find</span> <span className={styles.findKeys}>Ctrl K</span>
    </button>
  )
}

function NameButton() {
  const desk = useDesk()
  return (
    <button
      aria-label={desk.user === null ? 'Change name' : `${desk.user}, change name`}
      className={styles.user}
      onClick={() => desk.changeName()}
      title="Change name"
      type="button"
    >
      {desk.user ?? 'Change name'}
    </button>
  )
}

/** Opens and shuts the page where plugins, runners and apps are managed. */
function ManageButton() {
  const desk = useDesk()
  const isOpen = useDeskState(({ manage }) => manage.isOpen)
  return (
    <button
      aria-controls={MANAGE_ID}
      aria-expanded={isOpen}
      className={styles.manage}
      onClick={() => desk.change(() => ({ isOpen: !isOpen }))}
      type="button"
    >
      Manage
    </button>
  )
}
