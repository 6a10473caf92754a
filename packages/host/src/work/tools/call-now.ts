import type { CallOutcome } from '@svc/runner'
import { JsonText } from '../../kernel/json.ts'
import type { CallPlace } from '../../machines/tool-sessions.ts'
import type { Sampling } from '../sampling/samplings.ts'
import type { ReachedPlugin, ToolCaller } from './reach.ts'

/** A call that is waited for; everything in it was judged. Times are in ms, `calledAt` in Unix ms. */
export interface CallOrder {
  readonly plugin: ReachedPlugin
  readonly tool: string
  readonly args: Readonly<Record<string, unknown>>
  readonly calledAt: number
  readonly timeoutMs: number
  readonly maxResultBytes: number
  readonly signal: AbortSignal
  /** Whose process it may share. */
  readonly place: Pick<CallPlace, 'appId' | 'session'>
  /** For whom the plugin may send requests to the host during the call; `null`: it may not. */
  readonly onBehalf: Pick<Sampling, 'appId' | 'windowUuid' | 'origin'> | null
}

/** Calls a plugin at once. Never rejects. */
export function callNow(
  { services, userId }: Pick<ToolCaller, 'services' | 'userId'>,
  { plugin, tool, args, calledAt, timeoutMs, maxResultBytes, signal, place, onBehalf }: CallOrder,
): Promise<CallOutcome> {
  const invokeId = services.newId('invoke')
  const deadlineMs = calledAt + timeoutMs
  const sampling = onBehalf && services.samplings.open({ ...onBehalf, userId, plugin, invokeId, deadlineMs })
  const { runner } = plugin.link
  const calling = runner.call({
    userId,
    appId: place.appId,
    session: services.toolSessions.keyFor(runner, plugin.spec, { userId, ...place }),
    plugin: plugin.spec,
    tool,
    timeoutMs,
    maxResultBytes,
    signal,
    ...(args instanceof JsonText ? { argsJson: args.json } : { args }),
    invokeId,
    deadlineMs,
    graceMs: services.limits.SYNC_GRACE_MS,
    ...(sampling && { subcalls: sampling.subcalls }),
  })
  return sampling ? calling.finally(sampling.close) : calling
}
