import { HostList } from '../components/host-list.tsx'
import { InstallCard } from './install-card.tsx'
import { PlaceHeading } from './keyboard.tsx'
import { useInstalls } from './lists.ts'
import styles from './manage-page.module.css'

/** The installed apps and what their user allowed them. */
export function Apps() {
  const query = useInstalls()
  const list = query.data ?? []
  return (
    <HostList
      classNames={{ root: styles.form, empty: styles.text }}
      count={list.length}
      empty="No app is installed."
      heading={<PlaceHeading>Installed apps</PlaceHeading>}
      query={query}
      things="apps"
    >
      <ul aria-label="Installed apps" className={styles.list}>
        {list.map((app) => (
          <InstallCard app={app} key={app.install_id} />
        ))}
      </ul>
    </HostList>
  )
}
