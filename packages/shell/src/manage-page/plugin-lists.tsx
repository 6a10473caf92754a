import { Button } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { Problem } from '../components/problem.tsx'
import { useDesk, useDeskState } from '../components/use-desk.ts'
import { MORE_WORK } from '../manage/manager.ts'
import styles from './manage-page.module.css'
import { PlaceHeading } from './place-heading.tsx'
import { PluginRow } from './plugin-row.tsx'
import { TroubleNote } from './trouble-note.tsx'
import { useWork } from './use-work.ts'

/** The user's own plugins, then those of the host, then what others published. */
export function PluginLists() {
  const desk = useDesk()
  const { list, readAt, problem } = useDeskState(({ manage }) => manage.own)
  const room = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const { cameFrom } = desk.store.get().manage
    const rows = [...(room.current?.querySelectorAll<HTMLElement>('[data-tool]') ?? [])]
    if (document.activeElement === document.body || document.activeElement?.tagName === 'H3')
      rows.find(({ dataset }) => dataset.tool === cameFrom)?.focus()
  }, [desk])
  return (
    <div ref={room}>
      <div className={styles.head}>
        <PlaceHeading>Your plugins</PlaceHeading>
        <Button onClick={() => desk.manage.goTo({ at: 'new' })} size="compact-sm">
          New plugin
        </Button>
      </div>
      <Problem onRetry={() => desk.manage.read()} problem={problem} readAt={readAt} things="plugins" />
      {list.length === 0 && problem === null && (
        <p className={styles.soft}>
          {readAt === null
            ? 'Loading…'
            : 'You have no plugins yet. A plugin is a program with tools that your apps call, or a skill that agents read.'}
        </p>
      )}
      <ul aria-label="Your plugins" className={styles.list}>
        {list.map((plug) => (
          <PluginRow key={plug.tool_id} plug={plug} />
        ))}
      </ul>
      <OfTheHost />
      <Others />
    </div>
  )
}

/** What the operator configured: there without a line in any list of the user. */
function OfTheHost() {
  const { list } = useDeskState(({ manage }) => manage.others)
  const configured = list.filter((plug) => plug.configured)
  if (configured.length === 0) return null
  return (
    <section aria-label="Of this host" className={styles.others}>
      <h3 className={styles.placeTitle}>Of this host</h3>
      <ul aria-label="Of this host" className={styles.list}>
        {configured.map((plug) => (
          <PluginRow key={plug.tool_id} plug={plug} />
        ))}
      </ul>
    </section>
  )
}

function Others() {
  const desk = useDesk()
  const { list: all, readAt } = useDeskState(({ manage }) => manage.others)
  const list = all.filter((plug) => !plug.configured)
  const next = useDeskState(({ manage }) => manage.othersNext)
  const { isBusy } = useWork(MORE_WORK)
  return (
    <section aria-label="Published by others" className={styles.others}>
      <h3 className={styles.placeTitle}>Published by others</h3>
      {list.length === 0 && readAt !== null && (
        <p className={styles.soft}>Nobody else has a public plugin on this host.</p>
      )}
      <ul aria-label="Published by others" className={styles.list}>
        {list.map((plug) => (
          <PluginRow key={plug.tool_id} plug={plug} />
        ))}
      </ul>
      <TroubleNote work={MORE_WORK} />
      {next !== null && (
        <Button
          loading={isBusy}
          onClick={() => void desk.manage.readMore()}
          size="compact-sm"
          variant="default"
        >
          Show more
        </Button>
      )}
    </section>
  )
}
