import { useMediaQuery, useWindowEvent } from '@mantine/hooks'
import { type ReactNode, useEffect, useLayoutEffect } from 'react'
import { useDesk, useDeskState } from '../components/use-desk.ts'
import { KeyHelp } from '../keys/help.tsx'
import { Palette } from '../keys/palette.tsx'
import { pressInApp, pressShortcut } from '../keys/shortcuts.ts'
import { SkipLinks } from '../keys/skip-links.tsx'
import { ManagePage } from '../manage-page/manage-page.tsx'
import { Banner } from './banner.tsx'
import styles from './frame.module.css'
import { Launcher } from './launcher.tsx'
import { ScreenBar, shownSheet } from './screen-bar.tsx'
import { Side } from './side.tsx'
import { TaskBar } from './task-bar.tsx'
import { Toasts } from './toasts.tsx'
import { TopBar } from './top-bar.tsx'
import { WindowList } from './window-list.tsx'

/** A screen that has room for one window at a time; the style sheets say the same. */
const SMALL = '(max-width: 760px)'

/** The page around the desktop: bar, launcher, panels, task bar, notices. `inert`: seen, but out of reach. */
export function Frame({ children, inert }: { children: ReactNode; inert: boolean }) {
  const desk = useDesk()
  const isManaging = useDeskState(({ manage }) => manage.isOpen)
  const sheet = useDeskState(shownSheet)
  const dialog = useDeskState((state) => state.dialog)
  const small = useMediaQuery(SMALL, undefined, { getInitialValueInEffect: false })
  useWindowEvent('keydown', (event) => pressShortcut(desk, event))
  useLayoutEffect(() => desk.setSmall(small), [desk, small])
  useEffect(() => {
    const press = (windowKey: string, name: string) => pressInApp(desk, windowKey, name)
    desk.keyPresses.add(press)
    return () => void desk.keyPresses.delete(press)
  }, [desk])
  return (
    <div className={styles.frame} data-manage={isManaging || undefined} inert={inert}>
      <SkipLinks />
      <TopBar />
      {/* Under Manage the desktop stays as it is, so that no window is loaded again. */}
      <div className={styles.under} inert={isManaging}>
        {!small && <Launcher />}
        <main aria-label="Desktop" className={styles.main} id="desktop">
          <Banner />
          {sheet === 'apps' && <Launcher />}
          {sheet === 'windows' && <WindowList />}
          <div className={styles.desk} data-covered={sheet !== null || undefined} inert={sheet !== null}>
            {children}
          </div>
        </main>
      </div>
      <ManagePage />
      <Side />
      <div className={styles.under} inert={isManaging}>
        {small ? <ScreenBar /> : <TaskBar />}
      </div>
      {small && <Toasts />}
      {dialog === 'find' && <Palette />}
      {dialog === 'keys' && <KeyHelp />}
    </div>
  )
}
