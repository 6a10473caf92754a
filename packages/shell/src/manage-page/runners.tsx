import { useRef } from 'react'
import { Problem } from '../components/problem.tsx'
import { useDesk, useDeskState } from '../components/use-desk.ts'
import { useKeptFocus } from '../components/use-kept-focus.ts'
import { Enrol } from './enrol.tsx'
import styles from './manage-page.module.css'
import { PlaceHeading } from './place-heading.tsx'
import { RunnerCard } from './runner-card.tsx'

/** The machines that run the user's plugins, as they are at the moment. */
export function Runners() {
  const desk = useDesk()
  const { list, readAt, problem } = useDeskState(({ manage }) => manage.runners)
  const now = useDeskState(({ manage }) => manage.shownAt)
  const room = useRef<HTMLDivElement>(null)
  useKeptFocus(room, list)
  return (
    <div className={styles.form} ref={room}>
      <PlaceHeading>Your runners</PlaceHeading>
      <p className={styles.soft}>
        A runner is a machine of yours that installs and starts the plugins that you may use.
      </p>
      <Enrol />
      <Problem
        onRetry={() => desk.manage.read()}
        problem={problem}
        readAt={list.length > 0 ? readAt : null}
        things="runners"
      />
      {list.length === 0 && problem === null && (
        <p className={styles.text}>{readAt === null ? 'Loading…' : 'No machines are enrolled yet.'}</p>
      )}
      <ul aria-label="Your runners" className={styles.list}>
        {list.map((runner) => (
          <RunnerCard key={runner.runner_id} now={now} runner={runner} stale={problem !== null} />
        ))}
      </ul>
    </div>
  )
}
