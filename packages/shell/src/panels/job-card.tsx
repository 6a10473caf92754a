import { memo } from 'react'
import { AppMark } from '../components/app-mark.tsx'
import styles from '../components/cards.module.css'
import { appOf, isActive, type Job, jobName, jobStates } from '../state/job.ts'
import type { App } from '../state/state.ts'
import { CancelJob } from './cancel-job.tsx'
import { JobBar } from './job-bar.tsx'
import { JobOutcome } from './job-outcome.tsx'
import { JobTimes } from './job-times.tsx'
import panelStyles from './panels.module.css'

/** One job. `now`: the time to show it for; `stale`: the host did not confirm it. */
export const JobCard = memo(function JobCard({
  job,
  apps,
  now,
  stale,
}: {
  job: Job
  apps: readonly App[]
  now: number
  stale: boolean
}) {
  const app = appOf(job, apps)
  const name = jobName(job, apps)
  const { word, tone } = jobStates[job.state]
  const active = isActive(job)
  const headingId = `job-${job.jobId}`
  const times = <JobTimes job={job} now={now} stale={stale} />
  return (
    <li
      className={`${panelStyles.card} ${styles.toned}`}
      data-heading={headingId}
      data-job={job.jobId}
      data-tone={tone}
    >
      <article aria-labelledby={headingId}>
        <div className={styles.head}>
          <AppMark name={app.name} slug={app.slug} />
          <div className={styles.names}>
            <h4 className={styles.name} id={headingId} tabIndex={-1}>
              {job.method}
            </h4>
            <p className={styles.owner} title={`${app.name} · ${job.tool_id}`}>
              {app.name} · {job.tool_id}
            </p>
          </div>
          <span className={styles.state}>{word}</span>
        </div>
        {job.clientTag !== null && (
          <p className={styles.tag} title={job.clientTag}>
            {job.clientTag}
          </p>
        )}
        {active && <JobBar job={job} name={name} stale={stale} />}
        {active ? (
          <CancelJob job={job} name={name} source={`${app.name} · ${job.method}`} stale={stale}>
            {times}
          </CancelJob>
        ) : (
          times
        )}
        <JobOutcome job={job} />
      </article>
    </li>
  )
})
