import { useRef } from 'react'
import styles from '../components/cards.module.css'
import { icons } from '../components/icons.tsx'
import { Problem } from '../components/problem.tsx'
import { useDesk, useDeskState } from '../components/use-desk.ts'
import { useKeptFocus } from '../components/use-kept-focus.ts'
import { isActive, type Job } from '../state/job.ts'
import { JobCard } from './job-card.tsx'
import panelStyles from './panels.module.css'

/** The user's jobs over all apps: what goes on, then what has ended. */
export function Jobs() {
  const desk = useDesk()
  const { list, truncated, readAt, problem } = useDeskState((state) => state.jobs)
  const room = useRef<HTMLDivElement>(null)
  useKeptFocus(room, list)
  const active = list.filter(isActive)
  const ended = list.slice(active.length)
  return (
    <div ref={room}>
      <Problem
        onRetry={() => desk.readLists()}
        problem={problem}
        readAt={list.length > 0 ? readAt : null}
        things="jobs"
      />
      {list.length === 0 && problem === null && <Empty known={readAt !== null} />}
      <Group jobs={active} title="Active" />
      <Group jobs={ended} title="Ended" />
      {truncated && <p className={panelStyles.hint}>Older jobs are not shown.</p>}
    </div>
  )
}

function Group({ title, jobs }: { title: string; jobs: readonly Job[] }) {
  const apps = useDeskState((state) => state.apps)
  const { shownAt, problem, cancelling } = useDeskState((state) => state.jobs)
  if (jobs.length === 0) return null
  return (
    <section aria-label={`${title} jobs`} className={styles.group}>
      <h3 className={styles.groupTitle}>
        {title} <span className={styles.groupCount}>{jobs.length}</span>
      </h3>
      <ol className={panelStyles.list}>
        {jobs.map((job) => (
          <JobCard
            apps={apps}
            cancelling={cancelling.includes(job.jobId)}
            job={job}
            key={job.jobId}
            // What has ended is drawn once, and not each second.
            now={isActive(job) ? shownAt : 0}
            stale={problem !== null}
          />
        ))}
      </ol>
    </section>
  )
}

function Empty({ known }: { known: boolean }) {
  if (!known) return <p className={panelStyles.empty}>Loading…</p>
  return (
    <div className={panelStyles.empty}>
      <span className={styles.emptyIcon}>{icons.jobs}</span>
      <p className={styles.emptyTitle}>No job yet</p>
      <p className={styles.emptyText}>
        A job is a tool call that may take minutes or hours. Once an app starts one with{' '}
        <code>tools.invokeAsync</code>, you can follow and cancel it here, even after its window is closed.
      </p>
    </div>
  )
}
