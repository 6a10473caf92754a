import type { ReactNode } from 'react'
import { Room } from '../room/room.tsx'
import { Banner } from './banner.tsx'
import styles from './frame.module.css'
import { Launcher } from './launcher.tsx'
import { Side } from './side.tsx'
import { TaskBar } from './task-bar.tsx'
import { Toasts } from './toasts.tsx'
import { TopBar } from './top-bar.tsx'
import { useDeskState } from './use-desk.ts'

/** The page around the desktop: bar, launcher, panels, task bar, notices. `inert`: seen, but out of reach. */
export function Frame({ children, inert }: { children: ReactNode; inert: boolean }) {
  const isRoom = useDeskState(({ manage }) => manage.isOpen)
  return (
    <div className={styles.frame} data-room={isRoom || undefined} inert={inert}>
      <TopBar />
      {/* Under the room the desktop stays as it is, so that no window is loaded anew. */}
      <div className={styles.under} inert={isRoom}>
        <Launcher />
        <main aria-label="Desktop" className={styles.main}>
          <Banner />
          {children}
        </main>
      </div>
      <Room />
      <Side />
      <div className={styles.under} inert={isRoom}>
        <TaskBar />
      </div>
      <Toasts />
    </div>
  )
}
