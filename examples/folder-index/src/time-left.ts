import type { Progress } from '../plugin/report.ts'

/** A share that is too small to say how long the rest takes. */
const SHARE_MIN = 0.03

/** How long the rest of the work takes if it goes on as it did, in ms; `null` while nobody can tell. */
export const timeLeft = ({ share, ms }: Pick<Progress, 'share' | 'ms'>): number | null =>
  share < SHARE_MIN ? null : (ms * (1 - share)) / share
