import { type Survivor, survivors } from './survivors.ts'
import type { Tried } from './try-mutants.ts'

/** Of all changes, in percent. */
const SCORE_LEAST = 85

/** What one run of `npm run mutate` found. */
export interface Found {
  readonly tried: readonly Tried[]
  /** The sources whose mutants were tried to the end. */
  readonly sources: readonly string[]
  /** Of every target, those that were not tried too: path → text. */
  readonly texts: ReadonlyMap<string, string>
}

/** Why a run fails, a sentence each; none where it holds. */
export function faultsOf({ tried, sources, texts }: Found, listed = survivors): string[] {
  if (tried.length === 0)
    return ['no mutant was tried: no source of scripts/mutate/targets.ts has one of these words in its path']
  const score = percentOf(tried)
  const open = tried.filter((one) => one.survived && !reasonOf(one, listed)).length
  return [
    ...(score < SCORE_LEAST ? [`${score.toFixed(1)} % were noticed, at least ${SCORE_LEAST} % must be`] : []),
    ...(open > 0 ? [`${open} survived that are not listed in scripts/mutate/survivors`] : []),
    ...listed.flatMap((one) => {
      const fault = faultOf(one, { tried, sources, texts })
      return fault === null ? [] : [`${one.file}  ${one.change}  in  ${one.code}\n      ${fault}`]
    }),
  ]
}

/** Why a survivor should be listed no more; `null` where it should, or where this run cannot tell. */
function faultOf({ file, code, change }: Survivor, { tried, sources, texts }: Found): string | null {
  const text = texts.get(file)
  if (text === undefined) return 'listed as a survivor, but it is no source of targets.ts'
  if (!text.split('\n').some((line) => line.trim() === code))
    return 'listed as a survivor, but the source has no such line'
  if (!sources.includes(file)) return null
  const isAlive = tried.some((one) => one.survived && isSame(one, { file, code, change }))
  return isAlive ? null : 'listed as a survivor, but it does not survive: take it out'
}

/** Whether two changes are the same, wherever in a file their line is. */
function isSame(one: Pick<Survivor, 'file' | 'code' | 'change'>, other: typeof one): boolean {
  return one.file === other.file && one.code === other.code && one.change === other.change
}

/** Why a mutant may survive, where that is listed. */
export function reasonOf(mutant: Tried, listed = survivors): string | undefined {
  return listed.find((one) => isSame(one, mutant))?.reason
}

/** How many mutants were noticed, such as `9 of 10 noticed, 90.0 %`. */
export function scoreOf(mutants: readonly Tried[]): string {
  const killed = mutants.filter(({ survived }) => !survived).length
  return `${killed} of ${mutants.length} noticed, ${percentOf(mutants).toFixed(1)} %`
}

function percentOf(mutants: readonly Tried[]): number {
  const killed = mutants.filter(({ survived }) => !survived).length
  return mutants.length === 0 ? 100 : (killed / mutants.length) * 100
}
