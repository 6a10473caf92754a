import type { CallOutcome, Runner } from '@svc/runner'
import type { KnownPlugin } from '../plugins.ts'
import type { ToolCaller } from './reach.ts'

/** A call that is waited for; everything in it was judged. Times are in ms, `calledAt` in Unix ms. */
export interface CallOrder {
  readonly runner: Runner
  readonly plugin: KnownPlugin
  readonly tool: string
  readonly args: Readonly<Record<string, unknown>>
  readonly calledAt: number
  readonly timeoutMs: number
  readonly maxResultBytes: number
  readonly signal: AbortSignal
}

/** Has a plugin do a call at once (spec §4.2 tools rules 2 and 3, decision 4). Never rejects. */
export const callNow = (
  { house, userId }: ToolCaller,
  { runner, plugin, tool, args, calledAt, timeoutMs, maxResultBytes, signal }: CallOrder,
): Promise<CallOutcome> =>
  runner.call({
    ...{ userId, plugin: plugin.spec, tool, args, timeoutMs, maxResultBytes, signal },
    deadlineMs: calledAt + timeoutMs,
    graceMs: house.limits.SYNC_GRACE_MS,
    invokeId: house.newId('invoke'),
  })
