import { type Limits, type Manifest, wrongArg } from '@svc/contract'
import type { ToolDescription } from '@svc/contract/stdio'
import { toolDenial } from '../../access/manifest.ts'
import type { KnownPlugin } from '../../plugins/deployments/plugins.ts'

/** How long a call may take, and whether the caller asked for something else. */
export interface Timeout {
  /** In ms, forwarded as `params.timeout`. */
  readonly effective: number
  /** What the caller asked for, when it was moved. */
  readonly clampedFrom: number | null
}

type Range = Pick<Limits, 'SYNC_TIMEOUT_MIN_MS' | 'SYNC_TIMEOUT_MAX_MS' | 'SYNC_TIMEOUT_DEFAULT_MS'>

/** A plugin's own timeout, clamped into the range; rubbish is not a declaration. */
function declaredTimeout(tool: ToolDescription | undefined, limits: Range): number | null {
  const ms: unknown = tool?.timeout_ms
  if (!Number.isSafeInteger(ms)) return null
  return Math.min(Math.max(ms as number, limits.SYNC_TIMEOUT_MIN_MS), limits.SYNC_TIMEOUT_MAX_MS)
}

/** Refuses a timeout below the minimum. Errors: `invalid_arg`. */
export function checkTimeout(
  requested: number | undefined,
  limits: Pick<Limits, 'SYNC_TIMEOUT_MIN_MS'>,
): void {
  if (requested !== undefined && requested < limits.SYNC_TIMEOUT_MIN_MS)
    throw wrongArg('timeoutMs', `must be at least ${limits.SYNC_TIMEOUT_MIN_MS}, got ${requested}`)
}

/** The timeout of a sync call: the caller's, else the tool's own, else the default; at most the maximum. */
export function syncTimeout(
  requested: number | undefined,
  tool: ToolDescription | undefined,
  limits: Range,
): Timeout {
  const wanted = requested ?? declaredTimeout(tool, limits) ?? limits.SYNC_TIMEOUT_DEFAULT_MS
  const effective = Math.min(wanted, limits.SYNC_TIMEOUT_MAX_MS)
  return { effective, clampedFrom: requested !== undefined && requested > effective ? requested : null }
}

/** The timeout of a job: the caller's, moved into the range, else the default. */
export function asyncTimeout(
  requested: number | undefined,
  limits: Pick<Limits, 'JOB_DEADLINE_MIN_MS' | 'JOB_DEADLINE_MAX_MS' | 'JOB_DEADLINE_DEFAULT_MS'>,
): Timeout {
  const wanted = requested ?? limits.JOB_DEADLINE_DEFAULT_MS
  const effective = Math.min(Math.max(wanted, limits.JOB_DEADLINE_MIN_MS), limits.JOB_DEADLINE_MAX_MS)
  return { effective, clampedFrom: effective === wanted ? null : wanted }
}

/** The longest timeout that a tool of this app has when the caller names none: what the client waits by. */
export function longestToolTimeout(
  plugins: readonly KnownPlugin[],
  manifest: Manifest,
  limits: Range,
): number {
  const timeouts = plugins
    .filter((plugin) => toolDenial(manifest, plugin) === null)
    .flatMap((plugin) => plugin.description?.tools ?? [])
    .map((tool) => declaredTimeout(tool, limits) ?? 0)
  return Math.max(limits.SYNC_TIMEOUT_DEFAULT_MS, ...timeouts)
}
