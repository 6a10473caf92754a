import { memo } from 'react'
import styles from '../components/cards.module.css'
import { appOf, isActive, type Job, jobName, jobStates } from '../state/job.ts'
import type { App } from '../state/state.ts'
import { CancelJob } from './cancel-job.tsx'
import { JobBar } from './job-bar.tsx'
import { JobOutcome } from './job-outcome.tsx'
import { JobTimes } from './job-times.tsx'
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
