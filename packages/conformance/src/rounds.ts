/** How many rounds of random tests `npm test` and `npm test -- all` play: a share of the whole, and at least so many. */
const shares = { test: { share: 0.01, least: 20 }, all: { share: 0.1, least: 100 } }

/**
 * Returns how many rounds a random test plays: the whole under `npm test -- release`, and else a part. `SVC_ROUNDS` says
 * for which command: `test`, `all` or `release`.
 *
 * @param part how many where it is not the whole; none: a share of it
 */
export function rounds(whole: number, part?: number): number {
  const command = process.env.SVC_ROUNDS
  if (command === 'release') return whole
  const { share, least } = shares[command === 'all' ? 'all' : 'test']
  return part ?? Math.min(whole, Math.max(least, whole * share))
}

/** Returns where random schedules begin, anew each time: `SVC_SEED=7` plays those of a run that printed it. */
export function roundsSeed(): number {
  const seed = Number(process.env.SVC_SEED ?? Date.now() % 1_000_000)
  console.log(`the seed of these rounds: SVC_SEED=${seed}`)
  return seed
}
