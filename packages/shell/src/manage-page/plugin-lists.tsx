import { Button } from '@mantine/core'
import { useEffect } from 'react'
import { HostList, Problem } from '../components/host-list.tsx'
import { TroubleNote } from '../components/trouble-note.tsx'
import { useAct } from '../components/use-act.ts'
import { useDesk } from '../components/use-desk.ts'
import { goTo } from '../state/manage-state.ts'
import type { ListedPlug, PlugPage } from '../state/plug.ts'
import { PlaceHeading } from './keyboard.tsx'
import { useOtherPlugs, useOwnPlugs } from './lists.ts'
import styles from './manage-page.module.css'
import { PluginRow } from './plugin-row.tsx'
import { SearchField } from './search-field.tsx'
import { useFoundNews, useSearch } from './use-search.ts'

/** The user's own plugins, then those of the host, then what others published; all of them searched by one field. */
export function PluginLists() {
  const { change, store } = useDesk()
  const search = useSearch('plugins')
  const { query, list } = useOwnPlugs(search)
  useFoundNews(search, query.data !== undefined && !query.isPlaceholderData, list.length, {
    one: 'plugin of yours',
    many: 'plugins of yours',
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: a plugin that was created just now comes with the next list
  useEffect(() => {
    const { cameFrom } = store.get().manage
    const rows = [...document.querySelectorAll<HTMLElement>('[data-tool]')]
    if (document.activeElement === document.body || document.activeElement?.tagName === 'H3')
      rows.find(({ dataset }) => dataset.tool === cameFrom)?.focus()
  }, [store, query.data])
  return (
    <HostList
      classNames={{ empty: styles.soft }}
      count={list.length}
      empty={emptyText(search, query.hasNextPage, ownTexts)}
      heading={
        <>
          <div className={styles.head}>
            <PlaceHeading>Your plugins</PlaceHeading>
            <Button onClick={() => change(goTo({ at: 'new' }))} variant="filled">
              New plugin
            </Button>
          </div>
          <SearchField label="Search plugins" tab="plugins" />
        </>
      }
      query={query}
      things="plugins"
    >
      <Rows label="Your plugins" list={list} />
      <More name="own plugins" query={query} plugsOf={(page) => page.plugs} />
      <OtherPlugs search={search} />
    </HostList>
  )
}

const Rows = ({ label, list }: { label: string; list: readonly ListedPlug[] }) => (
  <ul aria-label={label} className={styles.list}>
    {list.map((plug) => (
      <PluginRow key={plug.tool_id} plug={plug} />
    ))}
  </ul>
)

/** Reads the next page of a list, where there is one. */
function More({
  name,
  query,
  plugsOf,
}: {
  name: string
  query: PlugQuery
  plugsOf: (page: PlugPage) => readonly ListedPlug[]
}) {
  const { fetchNextPage, hasNextPage } = query
  const more = useAct(`more ${name}`, async () => {
    const { data, error, isFetchNextPageError } = await fetchNextPage()
    if (isFetchNextPageError) throw error
    const [last] = data?.pages.slice(-1) ?? []
    return { said: `${last ? plugsOf(last).length : 0} more` }
  })
  return (
    <>
      <TroubleNote act={more} />
      {hasNextPage && (
        <Button loading={more.isBusy} onClick={more.run}>
          Show more
        </Button>
      )}
    </>
  )
}

type PlugQuery = ReturnType<typeof useOtherPlugs>

const othersOf = ({ plugs }: PlugPage) => plugs.filter((plug) => !plug.own)

/** What is said where a list shows nothing: where it is not searched, and where a search is over. */
interface EmptyTexts {
  readonly all: string
  readonly found: string
}
const ownTexts: EmptyTexts = {
  all: 'You have no plugins yet. A plugin is a program with tools that your apps call, or a skill that agents read.',
  found: 'None of your plugins is found.',
}
const othersTexts: EmptyTexts = {
  all: 'Nobody else has a public plugin on this host.',
  found: 'No plugin of others is found.',
}

function emptyText(search: string, hasNextPage: boolean, { all, found }: EmptyTexts): string {
  if (search === '') return all
  return hasNextPage ? 'Nothing is found yet: there is more to search.' : found
}

/** What the operator configured, there without a line in any list of the user; and what others published. */
function OtherPlugs({ search }: { search: string }) {
  const others = useOtherPlugs(search)
  const { data, hasNextPage } = others
  const all = data?.pages.flatMap(othersOf) ?? []
  const configured = all.filter((plug) => plug.configured)
  const list = all.filter((plug) => !plug.configured)
  return (
    <>
      {configured.length > 0 && (
        <section aria-label="Of this host" className={styles.others}>
          <h3 className={styles.placeTitle}>Of this host</h3>
          <Rows label="Of this host" list={configured} />
        </section>
      )}
      <section aria-label="Published by others" className={styles.others}>
        <h3 className={styles.placeTitle}>Published by others</h3>
        {!data && <Problem query={others} things="plugins of others" />}
        {list.length === 0 && data && (
          <p className={styles.soft}>{emptyText(search, hasNextPage, othersTexts)}</p>
        )}
        <Rows label="Published by others" list={list} />
        <More name="plugins of others" query={others} plugsOf={othersOf} />
      </section>
    </>
  )
}
