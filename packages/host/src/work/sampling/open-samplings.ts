import { Refusal, refuse, wrongArgs } from '@svc/contract'
import { refusalError, type SubcallMethod } from '@svc/contract/stdio'
import type { SubcallReply } from '@svc/runner'
import type { WorkServices } from '../services.ts'
import { openPluginSessions } from './plugin-sessions.ts'
import { requests } from './requests.ts'
import type { Sampling, Samplings } from './sampling.ts'

/** Opens the requests of plugins; `services` is asked at the time of a request. */
export function openSamplings(services: () => WorkServices): Samplings {
  const underWay = new Map<string, Sampling>()
  return {
    open(call) {
      const wanted = call.plugin.description?.host_capabilities ?? []
      if (wanted.length === 0) return null
      const sampling: Sampling = { ...call, token: services().newId('sampling') }
      const { token } = sampling
      underWay.set(token, sampling)
      return {
        subcalls: {
          samplingToken: token,
          onRequest: (method, params, signal) => answer(services(), sampling, method, params, signal),
        },
        close: () => void underWay.delete(token),
      }
    },
    find(token) {
      const sampling = underWay.get(token)
      return sampling && services().clock.now() < sampling.deadlineMs ? sampling : null
    },
    sessions: openPluginSessions(services),
  }
}

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
    if (err instanceof Refusal) return { error: refusalError(err) }
    const { plugin, invokeId } = sampling
    if (!signal.aborted)
      services.log.error(
        { err, method, plugin: plugin.handle, invoke: invokeId },
        'a request of a plugin failed',
      )
    return { error: refusalError(refuse('internal_error')) }
  }
}
