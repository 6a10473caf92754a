import type { Heading } from './item.ts'
import type { EventsQuery } from './query.ts'

/**
 * Which events a reader wants. A journal holds its user's events only, so a window of somebody else, a closed one
 * and one that never was are alike: nothing comes of them.
 */
export interface Filter {
  /** The same for readers that want the same. */
  readonly key: string
  wants(heading: Heading): boolean
}

/** Makes the filter of a query. */
export function filterOf({ windows, jobs }: Pick<EventsQuery, 'windows' | 'jobs'>): Filter {
  const wanted = new Set(windows)
  return {
    key: [...wanted].sort().join(',') + (jobs ? '+jobs' : ''),
    wants: ({ type, windowUuid }) =>
      windowUuid === null ? jobs && type === 'tool_job' : wanted.has(windowUuid),
  }
}
