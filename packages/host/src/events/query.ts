import { idKinds, type Limits, refuse } from '@svc/contract'

/** What a page asks of its event stream. */
export interface EventsQuery {
  /** The windows whose events it wants. */
  readonly windows: readonly string[]
  /** Whether it also wants the `tool_job` events that belong to no window. */
  readonly jobs: boolean
  /** Where it wants to go on: the cursor that it saw last; `null` begins with what comes from now on. */
  readonly lastEventId: string | null
}

/**
 * Reads the query `?windows=a,b&jobs=1` and the header `Last-Event-ID`. Texts that can be no window are left out:
 * they look like windows that are not there. Errors: `invalid_arg`.
 */
export function readEventsQuery(
  url: URL,
  lastEventId: string | null | undefined,
  limits: Limits,
): EventsQuery {
  const asked = new Set(url.searchParams.get('windows')?.split(',').filter(Boolean))
  if (asked.size > limits.EVENT_WINDOWS_MAX) {
    throw refuse(
      'invalid_arg',
      `windows must have at most ${limits.EVENT_WINDOWS_MAX} items, got ${asked.size}`,
    )
  }
  const jobs = url.searchParams.get('jobs') ?? '0'
  if (jobs !== '0' && jobs !== '1') {
    throw refuse('invalid_arg', `jobs must be 0 or 1, got ${JSON.stringify(jobs.slice(0, 60))}`)
  }
  return {
    windows: [...asked].filter((id) => idKinds.window.pattern.test(id)),
    jobs: jobs === '1',
    lastEventId: lastEventId || null,
  }
}
