import { lazy, Suspense } from 'react'
import { useDeskState } from '../components/use-desk.ts'
import { MANAGE_ID } from './manage-id.ts'
import styles from './page.module.css'

/** Loaded when it is first opened, and not where the host has other files by now: the windows of the page live on. */
const OpenManagePage = lazy(() =>
  import('./open-manage-page.tsx').then(
    (loaded) => ({ default: loaded.OpenManagePage }),
    () => ({ default: NotLoaded }),
  ),
)

/** Where plugins, runners and apps are managed: over the desktop, whose windows live on underneath. */
export function ManagePage() {
  const isOpen = useDeskState(({ manage }) => manage.isOpen)
  if (!isOpen) return null
  return (
    <Suspense fallback={<main aria-busy aria-label="Manage" className={styles.page} id={MANAGE_ID} />}>
      <OpenManagePage />
    </Suspense>
  )
}

function NotLoaded() {
  return (
    <main aria-label="Manage" className={styles.page} id={MANAGE_ID}>
      <p role="alert">Manage could not be loaded. Reload the page.</p>
    </main>
  )
}
