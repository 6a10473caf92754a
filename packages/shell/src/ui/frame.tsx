import type { ReactNode } from 'react'
import { Banner } from './banner.tsx'
import styles from './frame.module.css'
import { Launcher } from './launcher.tsx'
import { Side } from './side.tsx'
import { TaskBar } from './task-bar.tsx'
import { Toasts } from './toasts.tsx'
import { TopBar } from './top-bar.tsx'

/** The page around the desktop: bar, launcher, panels, task bar, notices. `inert`: seen, but out of reach. */
export function Frame({ children, inert }: { children: ReactNode; inert: boolean }) {
  return (
    <div className={styles.frame} inert={inert}>
      <TopBar />
      <Launcher />
      <main aria-label="Desktop" className={styles.main}>
        <Banner />
        {children}
      </main>
      <Side />
      <TaskBar />
      <Toasts />
    </div>
  )
}
