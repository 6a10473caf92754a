import { useDocumentVisibility } from '@mantine/hooks'
import type { JobState } from '@svc/contract'
import { JOB_LIST_LIMIT_MAX } from '@svc/contract/browser'
import { job as table } from '@svc/contract/states'
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { createContext, useCallback, useContext, useEffect, useRef } from 'react'
import { useDesk, useDeskState, useIsIn } from '../components/use-desk.ts'
import { useNews, useReadSoon } from '../components/use-list.ts'
import { appsOf } from '../state/apps.ts'
import { isActive } from '../state/job.ts'
import { type JobsState, jobNews, noJobs, someEnded, takeJobs } from '../state/jobs.ts'

/** A heartbeat is no event, and a job of another page may send none here: the open panel asks this often. */
export const READ_OPEN_MS = 2_000
/** While the panel is shut, and as long as a job is active. */
export const READ_SHUT_MS = 5_000
/** A host's date counts whole seconds: a smaller difference of clocks is ignored. */
const SKEW_MIN_MS = 2_000

/** The panel with the jobs, and the name of their list. */
export const JOBS_PANEL = 'jobs'
/** Names the list of jobs. */
export const JOBS = [JOBS_PANEL]

const JobsContext = createContext<UseQueryResult<JobsState> | null>(null)

/** Gives the jobs to everything below it. */
export const JobsProvider = JobsContext.Provider

/** The user's jobs, as they were read last. */
export function useJobs(): UseQueryResult<JobsState> {
  const jobs = useContext(JobsContext)
  if (!jobs) throw new Error('no jobs are read above this component')
  return jobs
}

/**
 * Reads the user's jobs when they may have changed: when somebody signs in, opens the panel or comes back to the page,
 * when the bridge gets an event of a job, of the host's return or of lost events, and time and again while the panel is
 * open or a job is active. The host's list is the one truth: an event only says that it is worth reading, so a lost one
 * costs a moment and never a wrong bar. Ended jobs do not change and may have long results, so they are read only when
 * one more may have ended.
 */
export function useFollowedJobs(): UseQueryResult<JobsState> {
  const desk = useDesk()
  const { bridge, exchange, now, queries } = desk
  const isIn = useIsIn()
  const isOpen = useDeskState(({ panel }) => panel === JOBS_PANEL)
  const visibility = useDocumentVisibility()
  /** Set: the ended jobs are to be read too. A read of them that comes to its end takes it away. */
  const wish = useRef<symbol | null>(Symbol('ended'))
  const read = (states: ReadonlySet<JobState>) =>
    exchange('GET /api/v1/svc-apps/jobs', {
      query: { limit: JOB_LIST_LIMIT_MAX, state: [...states].join() },
    })
  const query = useQuery({
    queryKey: JOBS,
    enabled: isIn,
    async queryFn({ signal }) {
      const before = queries.getQueryData<JobsState>(JOBS)
      try {
        const { value: active, date } = await read(table.active)
        const wished = wish.current
        const asksEnded = wished !== null || !before || someEnded(before, active)
        const ended = asksEnded ? (await read(table.terminal)).value : null
        const ahead = date === null ? 0 : date - now()
        if (!signal.aborted && wish.current === wished) wish.current = null
        return takeJobs(before ?? noJobs, active, ended, Math.abs(ahead) < SKEW_MIN_MS ? 0 : ahead)
      } catch (error) {
        wish.current = Symbol('ended')
        throw error
      }
    },
    refetchInterval: ({ state }) =>
      isOpen ? READ_OPEN_MS : state.data?.list.some(isActive) ? READ_SHUT_MS : false,
    refetchIntervalInBackground: true,
    refetchOnWindowFocus: false,
  })
  useNews(query.data, (before, after) => jobNews(before, after, appsOf(desk)), 'jobs')

  const readSoon = useReadSoon(JOBS)
  const readAll = useCallback(() => {
    wish.current = Symbol('ended')
    void queries.invalidateQueries({ queryKey: JOBS })
  }, [queries])
  useEffect(() => {
    if (isOpen) readAll()
  }, [isOpen, readAll])
  useEffect(() => {
    if (isIn && visibility === 'visible') readAll()
  }, [isIn, visibility, readAll])
  useEffect(() => {
    const needAll = () => {
      wish.current = Symbol('ended')
    }
    const stops = [
      bridge.on('tool_job', ({ terminal }) => {
        if (terminal) needAll()
        readSoon()
      }),
      bridge.on('host_back', needAll),
      bridge.on('reset', needAll),
    ]
    return () => {
      for (const stop of stops) stop()
    }
  }, [bridge, readSoon])
  return query
}
