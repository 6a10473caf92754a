import { limits as defaults, type Limits } from '@svc/contract'
import { openBench, type TriedCall } from './bench.ts'
import { callChecks } from './call-checks.ts'
import { type Check, type Verdict, verdictOf } from './check.ts'
import { errorChecks } from './error-checks.ts'
import { endCheck, lifeChecks } from './life-checks.ts'
import { lineChecks } from './line-checks.ts'
import { manifestCheck } from './manifest-check.ts'

/** That stdout belongs to the wire: judged by all that the other checks saw there. */
const stdoutCheck: Check = {
  id: 'decision.lines.noise',
  name: 'writes nothing but messages to stdout',
  hint: 'stdout is the wire: print and log to stderr, and write one JSON object a line.',
  run: async (bench) => verdictOf(bench.noise()),
}

/** All checks, in the order in which they are tried. */
export const checks: readonly Check[] = [
  manifestCheck,
  ...lifeChecks,
  ...errorChecks,
  ...lineChecks,
  ...callChecks,
  endCheck,
  stdoutCheck,
]

/** How one check ended. */
export interface Finding {
  readonly check: Check
  readonly verdict: Verdict
  readonly ms: number
}

/** What is checked, and what is called with the findings. */
export interface CheckOptions {
  /** Program and arguments, never a shell line. */
  readonly command: readonly string[]
  /** The folder that it starts in. */
  readonly cwd: string
  /** A call to try: without one, calls, progress and cancel are left out. */
  readonly call?: TriedCall | undefined
  /** Left out: all of them. */
  readonly checks?: readonly Check[]
  readonly limits?: Partial<Limits>
  /** Its abort ends all processes; what is left is not tried. */
  readonly signal?: AbortSignal
  readonly onFinding?: (finding: Finding) => void
}

/** Whether nothing else can be told of a plugin, because it did not answer the first question. */
export const isSilent = ([first]: readonly Finding[]): boolean =>
  first?.verdict.kind === 'broken' && first.verdict.isSilent === true
const silent: Verdict = { kind: 'left_out', why: 'describe was not answered' }

/**
 * Runs the stdio protocol against a command, in real processes, one check after another. Ends
 * every process that it started. Errors: the reason of the signal.
 */
export async function checkPlugin(options: CheckOptions): Promise<Finding[]> {
  const { command, cwd, call, signal, onFinding } = options
  const limits: Limits = { ...defaults, ...options.limits }
  const bench = await openBench({ command, cwd, limits, call })
  signal?.addEventListener('abort', bench.stop)
  if (signal?.aborted) bench.stop()
  const findings: Finding[] = []
  try {
    for (const check of options.checks ?? checks) {
      const from = performance.now()
      // What a silent plugin wrote is seen where it is wrong; that nothing was seen says nothing.
      const isOut = isSilent(findings) && (check !== stdoutCheck || bench.noise().length === 0)
      const verdict = isOut ? silent : await check.run(bench)
      await bench.clear()
      signal?.throwIfAborted()
      const finding = { check, verdict, ms: Math.round(performance.now() - from) }
      findings.push(finding)
      onFinding?.(finding)
    }
    return findings
  } finally {
    signal?.removeEventListener('abort', bench.stop)
    await bench.close()
  }
}
