/** Whether the tests of kills and failing system calls do all of theirs: under `npm test -- crash`. */
const isWhole = process.env.SVC_CRASHES === 'whole'

/** Returns how many kills a test does: the whole under `npm test -- crash`, and else the part. */
export const crashes = (whole: number, part: number): number => (isWhole ? whole : part)

/** Returns where random schedules begin, anew each time: `SVC_SEED=7` plays those of a run that printed it. */
export function crashSeed(): number {
  const seed = Number(process.env.SVC_SEED ?? Date.now() % 1_000_000)
  console.log(`the seed of these kills: SVC_SEED=${seed}`)
  return seed
}
