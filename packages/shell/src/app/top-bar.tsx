import { ActionIcon, Indicator, Tooltip } from '@mantine/core'
import { icons } from '../components/icons.tsx'
import { useDesk, useDeskState } from '../components/use-desk.ts'
import { MANAGE_ID } from '../manage-page/manage-id.ts'
import { type Panel, panels } from '../panels/panels.tsx'
import { MoreMenu } from './more-menu.tsx'
import { PANEL_ID } from './side.tsx'
import { ThemeSwitch } from './theme-switch.tsx'
import { Toasts } from './toasts.tsx'
import styles from './top-bar.module.css'

/** The bar at the top: whose page it is, how the host is, and what can be shown beside the desktop. */
export function TopBar() {
  const desk = useDesk()
  const host = useDeskState((state) => state.host)
  const small = useDeskState((state) => state.small)
  const isManaging = useDeskState(({ manage }) => manage.isOpen)
  return (
    <header className={styles.bar}>
      <img alt="" height="26" src="./favicon.svg" width="26" />
      <h1 className={styles.name}>svc</h1>
      <span className={styles.host} data-host={host}>
        {host === 'there' ? 'connected' : 'no response, trying again'}
      </span>
      {small ? <span className={styles.gap} /> : <Toasts />}
      {!small && (
        <>
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
          <button
            aria-label={desk.user === null ? 'Change name' : `${desk.user}, change name`}
            className={styles.user}
            onClick={() => desk.changeName()}
            title="Change name"
            type="button"
          >
            {desk.user ?? 'Change name'}
          </button>
          <button className={styles.user} onClick={() => void desk.signOut()} type="button">
            Sign out
          </button>
          <button
            aria-controls={MANAGE_ID}
            aria-expanded={isManaging}
            className={styles.manage}
            onClick={() => desk.change(() => ({ isOpen: !isManaging }))}
            type="button"
          >
            Manage
          </button>
        </>
      )}
      {panels.map((panel) => (
        <PanelButton key={panel.id} panel={panel} />
      ))}
      {small ? <MoreMenu /> : <ThemeSwitch />}
    </header>
  )
}

/** The largest number that is shown on a button. */
const SHOWN_MAX = 99

const useNone = () => 0

/** Opens and shuts a panel, and says how much of it waits. */
function PanelButton({ panel }: { panel: Panel }) {
  const { id, label, icon, useCount = useNone, counted } = panel
  const desk = useDesk()
  const open = useDeskState((state) => state.panel === id)
  const count = useCount()
  const name = count > 0 ? `${label}, ${count} ${counted}` : label
  return (
    <Tooltip label={name}>
      <Indicator
        disabled={count === 0}
        inline
        label={count > SHOWN_MAX ? `${SHOWN_MAX}+` : count}
        offset={4}
        size={15}
      >
        <ActionIcon
          aria-controls={PANEL_ID}
          aria-expanded={open}
          aria-label={name}
          color={open ? 'indigo' : 'gray'}
          onClick={() => desk.setPanel(open ? null : id)}
          size="lg"
          variant={open ? 'light' : 'subtle'}
        >
          {icon}
        </ActionIcon>
      </Indicator>
    </Tooltip>
  )
}
