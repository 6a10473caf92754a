import {
  CLIENT_AGENT_TIMEOUT_MS,
  CLIENT_TIMEOUT_MARGIN_MS,
  CLIENT_TOOLS_TIMEOUT_MS,
  SYNC_TIMEOUT_MAX_MS,
} from '@svc/contract/browser'
import { wrongArg } from './errors.ts'

/** `setTimeout` fires at once above this, in ms. */
const LONGEST_WAIT_MS = 2_147_483_647

const isMs = (value: unknown): value is number => typeof value === 'number' && value >= 0

/**
 * How long the client waits for an answer, in ms: longer than everybody further in, so that the innermost
 * room speaks first.
 *
 * @param name the method with its namespace: `storage.get`.
 * @param declaredMs what `hello` told of the longest timeout of a declared tool; unknown before its answer,
 *   and then the longest there can be stands for it.
 */
export function waitMs(name: string, args: unknown, declaredMs = SYNC_TIMEOUT_MAX_MS): number {
  if (/^(agent|llm|image)\./.test(name)) return CLIENT_AGENT_TIMEOUT_MS
  if (name !== 'tools.invoke') return CLIENT_TOOLS_TIMEOUT_MS
  const asked = (args as { timeoutMs?: unknown } | null)?.timeoutMs
  const toolMs = Math.min(isMs(asked) ? asked : declaredMs, SYNC_TIMEOUT_MAX_MS)
  return Math.max(CLIENT_TOOLS_TIMEOUT_MS, toolMs + CLIENT_TIMEOUT_MARGIN_MS)
}

/** The wait `ms` that the caller chose as `name`, as a timer takes it. @throws HostRpcError `invalid_arg` */
export function chosenMs(name: string, ms: unknown): number {
  if (!isMs(ms)) throw wrongArg(name, 'a number of ms, at least 0', ms)
  return Math.min(ms, LONGEST_WAIT_MS)
}
