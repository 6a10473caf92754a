/**
 * What a finding costs: `loses`, data that was acknowledged; `fails`, hosts cannot work; `hinders`, they are slow, or stop
 * when something else happens.
 */
export type Severity = 'loses' | 'fails' | 'hinders'

/** What is wrong with a server that hosts share. */
export interface ClusterFinding {
  /** Names what was looked at: `redis.appendonly`. */
  readonly id: string
  readonly severity: Severity
  /** What it is, one sentence. */
  readonly what: string
  /** Why it matters, one sentence. */
  readonly why: string
  /** What to change, one sentence or a command. */
  readonly change: string
}

/** What is wrong, by the facts about a server; null where it is right. */
export type Rule<Facts> = (facts: Facts) => ClusterFinding | null

/** Makes a rule: where `isWrong`, the texts are said. */
export const rule =
  <Facts>(
    id: string,
    severity: Severity,
    isWrong: (facts: Facts) => boolean,
    texts: (facts: Facts) => readonly [what: string, why: string, change: string],
  ): Rule<Facts> =>
  (facts) => {
    if (!isWrong(facts)) return null
    const [what, why, change] = texts(facts)
    return { id, severity, what, why, change }
  }

/** The findings of rules. */
export const judge = <Facts>(rules: readonly Rule<Facts>[], facts: Facts): ClusterFinding[] =>
  rules.map((one) => one(facts)).filter((found) => found !== null)

/** How far two clocks may be apart, in ms. */
const SKEW_MAX_MS = 2_000

/** The clock of a server against that of this machine; `aheadMs` is that of the server. */
export const clockRule = (id: string, server: string) =>
  rule<{ readonly aheadMs: number }>(
    id,
    'hinders',
    ({ aheadMs }) => Math.abs(aheadMs) > SKEW_MAX_MS,
    ({ aheadMs }) => [
      `the clock of ${server} is ${(Math.abs(aheadMs) / 1_000).toFixed(1)} s ${aheadMs > 0 ? 'ahead of' : 'behind'} that of this machine`,
      'Deadlines and ages are compared across machines, and hosts refuse questions of others above 60 s.',
      'Let all machines follow one time server (chrony, systemd-timesyncd).',
    ],
  )
