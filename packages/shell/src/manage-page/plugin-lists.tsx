import { Button } from '@mantine/core'
import { useEffect } from 'react'
import { HostList, Problem } from '../components/host-list.tsx'
import { TroubleNote } from '../components/trouble-note.tsx'
import { useAct } from '../components/use-act.ts'
import { useDesk } from '../components/use-desk.ts'
import { goTo } from '../state/manage-state.ts'
import type { ListedPlug } from '../state/plug.ts'
import { PlaceHeading } from './keyboard.tsx'
import { useOtherPlugs, useOwnPlugs } from './lists.ts'
import styles from './manage-page.module.css'
import { PluginRow } from './plugin-row.tsx'

/** The user's own plugins, then those of the host, then what others published. */
export function PluginLists() {
  const { change, store } = useDesk()
  const query = useOwnPlugs()
  const list = query.data ?? []
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
      empty="You have no plugins yet. A plugin is a program with tools that your apps call, or a skill that agents read."
      heading={
        <div className={styles.head}>
          <PlaceHeading>Your plugins</PlaceHeading>
          <Button onClick={() => change(goTo({ at: 'new' }))} variant="filled">
            New plugin
          </Button>
        </div>
      }
      query={query}
      things="plugins"
    >
      <Rows label="Your plugins" list={list} />
      <Others />
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

const othersOf = (page?: { readonly plugs: readonly ListedPlug[] }) =>
  page?.plugs.filter((plug) => !plug.own) ?? []

/** What the operator configured, there without a line in any list of the user; and what others published. */
function Others() {
  const others = useOtherPlugs()
  const { data, fetchNextPage, hasNextPage } = others
  const more = useAct('more', async () => {
    const { data: told, error, isFetchNextPageError } = await fetchNextPage()
    if (isFetchNextPageError) throw error
    const [last] = told?.pages.slice(-1) ?? []
    return { said: `${othersOf(last).length} more` }
  })
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
          <p className={styles.soft}>Nobody else has a public plugin on this host.</p>
        )}
        <Rows label="Published by others" list={list} />
        <TroubleNote act={more} />
        {hasNextPage && (
          <Button loading={more.isBusy} onClick={more.run}>
            Show more
          </Button>
        )}
      </section>
    </>
  )
}
