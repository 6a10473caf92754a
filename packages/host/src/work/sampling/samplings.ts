import { wrongArgs } from '@svc/contract'
import { refusalError, type SubcallMethod } from '@svc/contract/stdio'
import type { SubcallReply, Subcalls } from '@svc/runner'
import { loggedRefusal, refusalOf } from '../../kernel/refusal-of.ts'
import type { KnownPlugin } from '../../plugins/deployments/plugins.ts'
import type { WorkServices } from '../services.ts'
import { answerHosts, samplingToken } from './from-sampling.ts'
import { openPluginSessions } from './plugin-sessions.ts'
import { requests } from './requests.ts'

/** A call under way whose plugin may send requests to this host. */
export interface Sampling {
  /** The token that the plugin shows; worth nothing once the call has ended. */
  readonly token: string
  readonly userId: string
  readonly appId: string
  /** The window that the call was made in; `null` for a job, which outlives it. */
  readonly windowUuid: string | null
  /** What absolute URLs begin with; `''` where no request is behind the call. */
  readonly origin: string
  readonly plugin: KnownPlugin
  readonly invokeId: string
  /** Unix ms. */
  readonly deadlineMs: number
}

/**
 * Opens the calls under way whose plugins may send requests to this host; `services` is asked at the time of a request.
 */
export function openSamplings(services: () => WorkServices) {
  const underWay = new Map<string, Sampling>()
  let answering: Promise<() => void> | undefined
  const find = (token: string): Sampling | null => {
    const sampling = underWay.get(token)
    return sampling && services().clock.now() < sampling.deadlineMs ? sampling : null
  }

  /** From the first token on; who asks with one while that fails is refused. */
  function listen(): void {
    answering ??= answerHosts(services(), find)
    answering.catch((err: unknown) => {
      services().log.warn({ err }, 'other hosts cannot ask about the calls of this one')
    })
  }

  return {
    /** Makes the token of a call; `null` where its plugin declares nothing that it wants of the host. */
    open(call: Omit<Sampling, 'token'>) {
      const wanted = call.plugin.description?.host_capabilities ?? []
      if (wanted.length === 0) return null
      const sampling: Sampling = { ...call, token: samplingToken(services()) }
      listen()
      const { token } = sampling
      const subcalls: Subcalls = {
        samplingToken: token,
        onRequest: (method, params, signal) => answer(services(), sampling, method, params, signal),
      }
      underWay.set(token, sampling)
      return {
        subcalls,
        /** Forgets the token. Twice is harmless. */
        close: () => void underWay.delete(token),
      }
    },
    /** The call that a token names, while it runs on this host. */
    find,
    sessions: openPluginSessions(services),
    /** Answers no other host any more. */
    async close(): Promise<void> {
      const stop = await answering?.catch(() => undefined)
      stop?.()
    },
  }
}

export type Samplings = ReturnType<typeof openSamplings>

/** Answers one request of a plugin. Never rejects. */
async function answer(
  services: WorkServices,
  sampling: Sampling,
  method: SubcallMethod,
  params: Readonly<Record<string, unknown>>,
  signal: AbortSignal,
): Promise<SubcallReply> {
  try {
    const row = requests[method]
    const parsed = row.params.safeParse(params)
    if (!parsed.success) throw wrongArgs(parsed.error, params)
    return { result: await row.answer(parsed.data, { services, sampling, signal }) }
  } catch (err) {
    if (signal.aborted) return { error: refusalError(refusalOf(err)) }
    const about = { method, plugin: sampling.plugin.handle, invoke: sampling.invokeId }
    return {
      error: refusalError(loggedRefusal(services.log, err, 'a request of a plugin failed', about)),
    }
  }
}
