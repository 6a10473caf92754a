import { ActionIcon, Menu } from '@mantine/core'
import { icons } from '../components/icons.tsx'
import { useDesk } from '../components/use-desk.ts'
import { useThemeSwitch } from './theme-switch.tsx'

/** What has no room of its own in the bar of a small screen. */
export function MoreMenu() {
  const desk = useDesk()
  const { label, next } = useThemeSwitch()
  return (
    <Menu
      position="bottom-end"
      transitionProps={{ duration: 0 }}
      width={280}
      withInitialFocusPlaceholder={false}
      withinPortal={false}
    >
      <Menu.Target>
        <ActionIcon aria-label="More" size="lg">
          {icons.more}
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => desk.showDialog('find')}>Find an app, a window or a command</Menu.Item>
        <Menu.Item onClick={() => desk.change(() => ({ isOpen: true }))}>
          Manage plugins, runners and apps
        </Menu.Item>
        <Menu.Item closeMenuOnClick={false} onClick={next}>
          {label}
        </Menu.Item>
        <Menu.Item onClick={() => desk.changeName()}>
          {desk.user === null ? 'Change name' : `Signed in as ${desk.user}. Change name`}
        </Menu.Item>
        <Menu.Item onClick={() => void desk.signOut()}>Sign out</Menu.Item>
        <Menu.Item onClick={() => desk.showDialog('keys')}>Keyboard shortcuts</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
