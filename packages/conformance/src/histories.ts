const PART = 0.1
const LEAST = 100

/**
 * Returns how many random histories a test plays, or how long its one is: a tenth and at least 100, or the whole under
 * `npm run histories`.
 */
export function histories(whole: number): number {
  if (process.env.SVC_HISTORIES === 'whole') return whole
  return Math.min(whole, Math.max(LEAST, whole * PART))
}
