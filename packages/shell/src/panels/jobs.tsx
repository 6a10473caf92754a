import { icons } from '../components/icons.tsx'
import { useApps } from '../components/use-desk.ts'
import { useNow } from '../components/use-list.ts'
import { isActive } from '../state/job.ts'
import { noJobs } from '../state/jobs.ts'
import { JobCard } from './job-card.tsx'
import { PanelList } from './panel-list.tsx'
import { useJobs } from './use-jobs.ts'

/** The user's jobs over all apps: what runs, then what has ended. */
export function Jobs() {
  const apps = useApps()
  const query = useJobs()
  const { list, truncated, skew } = query.data ?? noJobs
  const now = Math.max(useNow(list.some(isActive)), query.dataUpdatedAt) + skew
  return (
    <PanelList
      card={(job) => (
        <JobCard
          apps={apps}
          job={job}
          key={job.jobId}
          // What has ended is drawn once, and not each second.
          now={isActive(job) ? now : 0}
          stale={query.isError}
        />
      )}
      emptyTitle="No job yet"
      icon={icons.jobs}
      isActive={isActive}
      isCut={truncated}
      list={list}
      query={query}
      things="jobs"
    >
      A job is a tool call that may take minutes or hours. Once an app starts one with{' '}
      <code>tools.invokeAsync</code>, you can follow and cancel it here, even after its window is closed.
    </PanelList>
  )
}
