import { limits as defaults, type Limits } from '@svc/contract'
import { type Finding, verdictOf } from '../checks/check.ts'
import { runChecks } from '../checks/run-checks.ts'
import { openBench, type PluginCheck, type TriedCall } from './bench.ts'
import { callChecks } from './call-checks.ts'
import { errorChecks } from './error-checks.ts'
import { endCheck, lifeChecks } from './life-checks.ts'
import { lineChecks } from './line-checks.ts'
import { manifestCheck } from './manifest-check.ts'

const STDOUT_HINT = 'stdout is the wire: print and log to stderr, and write one JSON object a line.'

/** That stdout belongs to the wire: judged by all that the other checks saw there. */
const stdoutCheck: PluginCheck = {
  id: 'decision.lines.noise',
  name: 'writes nothing but messages to stdout',
  hint: STDOUT_HINT,
  async run(bench) {
    const noise = bench.noise()
    const verdict = verdictOf(noise.map(({ problem }) => problem))
    const hints = new Set(noise.map(({ hint = STDOUT_HINT }) => hint))
    return verdict.kind === 'broken' ? { ...verdict, hint: [...hints].join(' ') } : verdict
  },
}

/** All checks, in the order in which they are tried. */
export const checks: readonly PluginCheck[] = [
  manifestCheck,
  ...lifeChecks,
  ...errorChecks,
  ...lineChecks,
  ...callChecks,
  endCheck,
  stdoutCheck,
]

/** What is checked, and what is called with the findings. */
export interface CheckOptions {
  /** Program and arguments, never a shell line. */
  readonly command: readonly string[]
  /** The folder that it starts in. */
  readonly cwd: string
  /** Variables beside those that every plugin has. */
  readonly env?: Readonly<Record<string, string>> | undefined
  /** A call to try: without one, calls, progress and cancel are left out. */
  readonly call?: TriedCall | undefined
  /** Left out: all of them. */
  readonly checks?: readonly PluginCheck[]
  readonly limits?: Partial<Limits>
  /** Its abort ends all processes; what is left is not tried. */
  readonly signal?: AbortSignal
  readonly onFinding?: (finding: Finding) => void
  /** Hears before each call of the tool, and what it is for: a call may take long. */
  readonly onCall?: ((why: string) => void) | undefined
}

/**
 * Runs the stdio protocol against a command, in real processes, one check after another. Ends
 * every process that it started. Errors: the reason of the signal.
 */
export async function checkPlugin(options: CheckOptions): Promise<Finding[]> {
  const { command, cwd, env, call, signal, onFinding, onCall } = options
  const limits: Limits = { ...defaults, ...options.limits }
  const bench = await openBench({ command, cwd, env, limits, call, onCall })
  try {
    return await runChecks({
      bench,
      signal,
      onFinding,
      checks: options.checks ?? checks,
      silent: 'describe was not answered',
      // What a silent plugin wrote is seen where it is wrong; that nothing was seen says nothing.
      isTriedAnyway: (check) => check === stdoutCheck && bench.noise().length > 0,
    })
  } finally {
    await bench.close()
  }
}
