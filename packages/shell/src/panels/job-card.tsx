import { memo } from 'react'
import styles from '../components/cards.module.css'
import { timeText } from '../components/time-text.ts'
import { appOf, isActive, type Job, jobName, jobStates } from '../state/job.ts'
import { barOf } from '../state/job-progress.ts'
import { timesOf } from '../state/job-times.ts'
import type { App } from '../state/state.ts'
import { CancelJob } from './cancel-job.tsx'
import { JobOutcome } from './job-outcome.tsx'
import { PanelCard } from './panel-card.tsx'

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
  const times = <JobTimes job={job} now={now} stale={stale} />
  return (
    <PanelCard
      app={app}
      id={`job-${job.jobId}`}
      owner={job.tool_id}
      row={jobStates[job.state]}
      title={job.method}
    >
      {job.clientTag !== null && (
        <p className={styles.tag} title={job.clientTag}>
          {job.clientTag}
        </p>
      )}
      {isActive(job) ? (
        <>
          <JobBar job={job} name={name} stale={stale} />
          <CancelJob job={job} name={name} source={`${app.name} · ${job.method}`} stale={stale}>
            {times}
          </CancelJob>
        </>
      ) : (
        times
      )}
      <JobOutcome job={job} />
    </PanelCard>
  )
})

/** The times of a job. Those that still run are not shown of one that may have ended meanwhile. */
function JobTimes({ job, now, stale }: { job: Job; now: number; stale: boolean }) {
  const { spent, left, life } = timesOf(job, now)
  const at = Date.parse(job.endedAt ?? job.createdAt)
  const time = <time dateTime={new Date(at).toISOString()}>{timeText(at)}</time>
  if (left === null)
    return (
      <p className={styles.times}>
        {spent} · {time}
      </p>
    )
  if (stale) return <p className={styles.times}>since {time}</p>
  return (
    <p className={styles.times}>
      {spent} · {left}
      {life !== null && (
        <span className={styles.life} data-late={life.late || undefined}>
          {life.text}
        </span>
      )}
    </p>
  )
}

const PERCENT = 100

/** How far a job has come: a bar if its plugin reports a fraction, else only that it runs, and what it said last. */
function JobBar({ job, name, stale }: { job: Job; name: string; stale: boolean }) {
  const { part, label, text } = barOf(job.progress)
  if (job.state === 'queued') return <p className={styles.said}>Waiting for a free slot.</p>
  if (stale) return <p className={styles.said}>Its progress is not known at the moment.</p>
  const value = part === null ? undefined : Math.round(part * PERCENT)
  return (
    <>
      <div className={styles.barLine}>
        <div
          aria-label={`Progress of ${name}`}
          aria-valuemax={PERCENT}
          aria-valuemin={0}
          aria-valuenow={value}
          aria-valuetext={label || text || 'going on'}
          className={styles.bar}
          role="progressbar"
        >
          <span
            className={styles.fill}
            data-endless={part === null || undefined}
            style={{ '--part': part ?? 0 } as React.CSSProperties}
          />
        </div>
        {label !== '' && (
          <span aria-hidden="true" className={styles.part}>
            {label}
          </span>
        )}
      </div>
      {text !== '' && <p className={styles.said}>{text}</p>}
    </>
  )
}
