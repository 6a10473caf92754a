import { HostList } from '../components/host-list.tsx'
import { useNow } from '../components/use-list.ts'
import { Enrol } from './enrol.tsx'
import { PlaceHeading } from './keyboard.tsx'
import { useRunners } from './lists.ts'
import styles from './manage-page.module.css'
import { RunnerCard } from './runner-card.tsx'

/** The machines that run the user's plugins, as they are at the moment. */
export function Runners() {
  const query = useRunners()
  const list = query.data ?? []
  const now = Math.max(useNow(true), query.dataUpdatedAt)
  return (
    <HostList
      classNames={{ root: styles.form, empty: styles.text }}
      count={list.length}
      empty="No machines are enrolled yet."
      heading={
        <>
          <PlaceHeading>Your runners</PlaceHeading>
          <p className={styles.soft}>
            A runner is a machine of yours that installs and starts the plugins that you may use.
          </p>
          <Enrol />
        </>
      }
      query={query}
      things="runners"
    >
      <ul aria-label="Your runners" className={styles.list}>
        {list.map((runner) => (
          <RunnerCard key={runner.runner_id} now={now} runner={runner} stale={query.isError} />
        ))}
      </ul>
    </HostList>
  )
}
