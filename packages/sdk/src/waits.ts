import {
  CLIENT_AGENT_TIMEOUT_MS,
  CLIENT_TIMEOUT_MARGIN_MS,
  CLIENT_TOOLS_TIMEOUT_MS,
  SYNC_TIMEOUT_MAX_MS,
} from '@svc/contract/browser'

/** `setTimeout` fires at once above this, in ms. */
const LONGEST_WAIT_MS = 2_147_483_647

const isMs = (value: unknown): value is number => typeof value === 'number' && value >= 0

/**
 * How long the client waits for an answer, in ms: longer than everybody further in, so that the innermost
 * room speaks first.
 *
 * @param declaredMs what `hello` told of the longest timeout of a declared tool; unknown before its answer,
 *   and then the longest there can be stands for it.
 */
export function waitMs(ns: string, method: string, args: unknown, declaredMs: number | undefined): number {
  if (ns === 'agent' || ns === 'llm' || ns === 'image') return CLIENT_AGENT_TIMEOUT_MS
  if (ns !== 'tools' || method !== 'invoke') return CLIENT_TOOLS_TIMEOUT_MS
  const asked = (args as { timeoutMs?: unknown } | undefined)?.timeoutMs
  const toolMs = Math.min(isMs(asked) ? asked : (declaredMs ?? SYNC_TIMEOUT_MAX_MS), SYNC_TIMEOUT_MAX_MS)
  return Math.max(CLIENT_TOOLS_TIMEOUT_MS, toolMs + CLIENT_TIMEOUT_MARGIN_MS)
}

/** A wait that the caller chose, as a timer takes it; `undefined` if it is not valid. */
export const chosenMs = (timeoutMs: unknown): number | undefined =>
  isMs(timeoutMs) ? Math.min(timeoutMs, LONGEST_WAIT_MS) : undefined

/** What such a wait must be. */
export const MS_RULE = 'a number of ms, at least 0'
