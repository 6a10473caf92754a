import type { House } from '../house.ts'

/** What runners need of the house. */
export type RunnerParts = Pick<
  House,
  'clock' | 'newId' | 'limits' | 'log' | 'store' | 'copies' | 'bus' | 'jobs' | 'runner' | 'settings' | 'users'
>
