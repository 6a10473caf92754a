import { HostList } from '../components/host-list.tsx'
import { InstallCard } from './install-card.tsx'
import { PlaceHeading } from './keyboard.tsx'
import { useInstalls } from './lists.ts'
import styles from './manage-page.module.css'
import { SearchField } from './search-field.tsx'
import { useFoundNews, useSearch } from './use-search.ts'

/** The installed apps and what their user allowed them. */
export function Apps() {
  const search = useSearch('apps')
  const query = useInstalls(search)
  const list = query.data ?? []
  useFoundNews(search, query.data !== undefined && !query.isPlaceholderData, list.length, {
    one: 'app',
    many: 'apps',
  })
  return (
    <HostList
      classNames={{ root: styles.form, empty: styles.text }}
      count={list.length}
      empty={search === '' ? 'No app is installed.' : 'No installed app is found.'}
      heading={
        <>
          <PlaceHeading>Installed apps</PlaceHeading>
          {(list.length > 0 || search !== '') && <SearchField label="Search apps" tab="apps" />}
        </>
      }
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
