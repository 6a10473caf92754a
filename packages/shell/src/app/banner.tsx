import { Button } from '@mantine/core'
import { icons } from '../components/icons.tsx'
import { useDesk, useDeskState } from '../components/use-desk.ts'
import { dropLost, lostWindows } from '../windows/reopen.ts'
import styles from './banner.module.css'

/** What the whole page should know: a host that does not answer, and windows that it has forgotten. */
export function Banner() {
  const desk = useDesk()
  const host = useDeskState((state) => state.host)
  const windows = useDeskState((state) => state.windows)
  const lost = lostWindows(windows).length
  if (host === 'lost')
    return (
      <div className={styles.banner} role="status">
        {icons.alert}
        <span>The host does not respond; trying again. Your windows stay on this page meanwhile.</span>
      </div>
    )
  if (host === 'intercepted')
    return (
      <div className={styles.banner} role="status">
        {icons.alert}
        <span className={styles.text}>
          Something between this page and its host answers in its place, perhaps a sign-in page. Load the page
          again to see it.
        </span>
        <Button onClick={() => location.reload()} variant="filled">
          Load again
        </Button>
      </div>
    )
  if (lost === 0) return null
  return (
    <div className={styles.banner} role="status">
      {icons.alert}
      <span className={styles.text}>
        The host no longer knows {lost === 1 ? 'one window' : `${lost} windows`}.
      </span>
      <Button onClick={() => desk.reopenLost()} variant="filled">
        {lost === 1 ? 'Open it again' : 'Open them again'}
      </Button>
      <Button color="gray" onClick={() => dropLost(desk)}>
        {lost === 1 ? 'Close it' : 'Close them'}
      </Button>
    </div>
  )
}
