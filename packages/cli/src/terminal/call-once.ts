import { randomBytes } from 'node:crypto'
import { limits } from '@svc/contract'
import { outputObject } from '@svc/contract/stdio'
import type { CommandSpec, Failure, JobProgress, Runner } from '@svc/runner'
import { failure } from './failure.ts'

/** One call that is made on this machine. */
export interface OnceOptions {
  readonly plugin: CommandSpec
  readonly tool: string
  readonly args: Readonly<Record<string, unknown>>
  /** Whether the bounds of a call or of a job hold. */
  readonly kind: 'call' | 'job'
  readonly timeoutMs: number
  readonly signal: AbortSignal
  readonly onProgress: (progress: JobProgress) => void
}

/** What came of it. */
export interface CallReport {
  /** As an app would get it. */
  readonly output: unknown
  readonly ms: number
  /** How many progress messages it sent, and how many were dropped: past 50 a second and 8 KB. */
  readonly progress: number
  readonly progress_dropped: number
}

/** The most bytes of JSON that go in and come out. */
const caps = {
  call: { args: limits.SYNC_PAYLOAD_MAX_BYTES, result: limits.SYNC_PAYLOAD_MAX_BYTES },
  job: { args: limits.ASYNC_ARGS_MAX_BYTES, result: limits.ASYNC_RESULT_MAX_BYTES },
} as const

/** What a plugin answers to what its caller asked wrongly: no such tool, or an argument that is missing. */
const INVALID_PARAMS = -32_602

/** What to do about a failure, where there is something. */
export function hintOf({ code, details }: Failure): string | undefined {
  if (code === 'plug_error' && details?.code === INVALID_PARAMS)
    return 'The plugin refused the call: check --tool and --args.'
  return typeof details?.hint === 'string' ? details.hint : hints.get(code)
}

const hints: ReadonlyMap<string, string> = new Map([
  ['plug_error', 'svc plug check says what the plugin does wrong.'],
  [
    'plug_unavailable',
    'Check the command after the two dashes: it is started in this folder, without a shell.',
  ],
  ['tool_timeout', 'Increase --timeout, or call it with --as-job.'],
  [
    'result_too_large',
    'Let the tool return less: one page of the result, or a file that it uploads to the host.',
  ],
])

/**
 * Calls a tool in a process of its own. A call through a host tells no progress, and its author wants to see it: so it
 * runs as a job does, within the bounds of its kind. Errors: `usage`, `failed` with the code of the call.
 */
export async function callOnce(runner: Runner, options: OnceOptions): Promise<CallReport> {
  const { kind, timeoutMs, args } = options
  const bytes = Buffer.byteLength(JSON.stringify(args))
  if (bytes > caps[kind].args)
    throw failure(
      'usage',
      `--args must be at most ${caps[kind].args} bytes of JSON for a ${kind}, got ${bytes}`,
    )
  let told = 0
  let dropped = 0
  const from = performance.now()
  const outcome = await runner.job({
    ...options,
    userId: '',
    jobId: `tjob_${randomBytes(16).toString('hex')}`,
    deadlineMs: Date.now() + timeoutMs,
    maxResultBytes: caps[kind].result,
    onStarted: () => undefined,
    onProgress(progress) {
      told += 1
      options.onProgress(progress)
    },
    onDropped(count) {
      dropped += count
    },
    onHeartbeat: () => undefined,
  })
  if (!outcome.ok) throw failure('failed', outcome.message, hintOf(outcome), outcome.code)
  const ms = Math.round(performance.now() - from)
  return { output: outputObject(outcome.payload), ms, progress: told, progress_dropped: dropped }
}
