import { Button } from '@mantine/core'
import { useApps, useDesk } from '../components/use-desk.ts'
import type { DeskWindow } from '../state/state.ts'
import styles from './banner.module.css'

/** In a window that runs another version of its app than the one that is installed: says so, and opens it anew. */
export function VersionNotice({ window: { key, title, version, phase, wanted } }: { window: DeskWindow }) {
  const desk = useDesk()
  const app = useApps().find(({ app_id }) => app_id === wanted.appId)
  if (!app || version === null || version === app.version || phase !== 'open') return null
  return (
    <div className={styles.banner} role="status">
      <span className={styles.text}>
        <bdi>{app.name}</bdi> {app.version} is installed. This window still runs {version}.
      </span>
      <Button aria-label={`Reload ${title}`} onClick={() => desk.renew(key)}>
        Reload
      </Button>
    </div>
  )
}
