import { Failure } from '../terminal/failure.ts'
import { firstLineOf } from '../terminal/first-line.ts'
import { broken, type Check, type Finding, type Verdict } from './check.ts'

/** What checks are run on. */
export interface Clearable {
  /** Ends what a check has opened. */
  clear(): Promise<void>
  /** Ends it, and everything that is opened from now on. */
  stop(): void
}

/** What is run, and who hears of it. */
export interface RunOptions<Bench extends Clearable> {
  readonly bench: Bench
  readonly checks: readonly Check<Bench>[]
  /** Why the rest is not tried where the first check found that nothing runs. */
  readonly silent: string
  /** A check that says something even then. */
  readonly isTriedAnyway?: (check: Check<Bench>) => boolean
  /** Says why the rest cannot be tried; `null`: it can. */
  readonly whyEnded?: () => string | null
  /** Its abort stops the bench; what is left is not tried. */
  readonly signal?: AbortSignal | undefined
  readonly onFinding?: ((finding: Finding) => void) | undefined
}

/**
 * Runs checks one after another; one that throws does not hold. Errors: the reason of the signal, and a `Failure` that a
 * check threw.
 */
export async function runChecks<Bench extends Clearable>(options: RunOptions<Bench>): Promise<Finding[]> {
  const { bench, checks, signal, onFinding, isTriedAnyway = () => false, whyEnded = () => null } = options
  const findings: Finding[] = []
  signal?.addEventListener('abort', bench.stop)
  if (signal?.aborted) bench.stop()
  try {
    for (const check of checks) {
      const from = performance.now()
      const isOut = isSilent(findings) && !isTriedAnyway(check)
      const why = whyEnded() ?? (isOut ? options.silent : null)
      const verdict: Verdict = why === null ? await tried(check, bench) : { kind: 'left_out', why }
      await bench.clear()
      signal?.throwIfAborted()
      const finding = { check, verdict, ms: Math.round(performance.now() - from) }
      findings.push(finding)
      onFinding?.(finding)
    }
    return findings
  } finally {
    signal?.removeEventListener('abort', bench.stop)
  }
}

/** Runs a check; what it throws is what is wrong. */
async function tried<Bench>(check: Check<Bench>, bench: Bench): Promise<Verdict> {
  try {
    return await check.run(bench)
  } catch (error) {
    if (error instanceof Failure) throw error
    return broken(firstLineOf(error))
  }
}

/** Whether nothing else can be told, because the first check found that nothing runs. */
export const isSilent = ([first]: readonly Finding[]): boolean =>
  first?.verdict.kind === 'broken' && first.verdict.isSilent === true
