import { useMediaQuery } from '@mantine/hooks'
import { type ReactNode, useLayoutEffect } from 'react'
import { shownSheet } from '../desk/sheet.ts'
import { KeyHelp } from '../keys/help.tsx'
import { Palette } from '../keys/palette.tsx'
import { SkipLinks } from '../keys/skip-links.tsx'
import { useShortcuts } from '../keys/use-shortcuts.ts'
import { Room } from '../room/room.tsx'
import { Banner } from './banner.tsx'
import styles from './frame.module.css'
import { Launcher } from './launcher.tsx'
import { ScreenBar } from './screen-bar.tsx'
import { Side } from './side.tsx'
import { SMALL } from './small.ts'
import { TaskBar } from './task-bar.tsx'
import { Toasts } from './toasts.tsx'
import { TopBar } from './top-bar.tsx'
import { useDesk, useDeskState } from './use-desk.ts'
import { WindowList } from './window-list.tsx'

/** The page around the desktop: bar, launcher, panels, task bar, notices. `inert`: seen, but out of reach. */
export function Frame({ children, inert }: { children: ReactNode; inert: boolean }) {
  const desk = useDesk()
  const isRoom = useDeskState(({ manage }) => manage.isOpen)
  const sheet = useDeskState(shownSheet)
  const dialog = useDeskState((state) => state.dialog)
  const small = useMediaQuery(SMALL, undefined, { getInitialValueInEffect: false })
  useShortcuts()
  useLayoutEffect(() => desk.setSmall(small), [desk, small])
  return (
    <div className={styles.frame} data-room={isRoom || undefined} inert={inert}>
      <SkipLinks />
      <TopBar />
      {/* Under the room the desktop stays as it is, so that no window is loaded anew. */}
      <div className={styles.under} inert={isRoom}>
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
      <Room />
      <Side />
      <div className={styles.under} inert={isRoom}>
        {small ? <ScreenBar /> : <TaskBar />}
      </div>
      <Toasts />
      {dialog === 'find' && <Palette />}
      {dialog === 'keys' && <KeyHelp />}
    </div>
  )
}
