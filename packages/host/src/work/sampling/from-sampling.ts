import { type ErrorCode, refuse } from '@svc/contract'
import { BusError } from '@svc/state'
import { loggedRefusal } from '../../kernel/refusal-of.ts'
import type { WorkServices } from '../services.ts'
import { makeOrdered, type PluginSession } from './make-session.ts'
import type { Sampling } from './samplings.ts'

/** What hosts ask each other: a session for the plugin of a call that runs there. */
const KIND = 'sampling_session'

/** What may be a host's id: anybody may send any token. */
const HOST_ID = /^[\w-]{1,64}$/

interface Asked {
  readonly token: string
  readonly order: unknown
}

type Told =
  | { readonly made: PluginSession }
  | {
      readonly code: ErrorCode
      readonly message: string
      readonly details: Readonly<Record<string, unknown>> | undefined
    }

const unknownToken = () => refuse('invalid_token', 'sampling_token must be the one of a call under way')

/** The token of a call of this host: it names the host, so that any other knows whom to ask about it. */
export const samplingToken = ({ hosts, newId }: Pick<WorkServices, 'hosts' | 'newId'>): string =>
  `${newId('sampling')}.${hosts.id}`

/**
 * Makes a session for whoever shows the sampling token of a call under way, on this host or another: the token is the
 * only authority. Errors: `invalid_token`, `invalid_arg`, those of `makeSession`.
 */
export async function fromSampling(
  services: WorkServices,
  token: string,
  order: unknown,
): Promise<PluginSession> {
  const sampling = services.samplings.find(token)
  if (sampling) return makeOrdered(services, sampling, order)
  const { bus, clock, hosts, limits } = services
  const hostId = token.split('.')[1] ?? hosts.id
  if (hostId === hosts.id || !HOST_ID.test(hostId)) throw unknownToken()
  const asked: Asked = { token, order }
  const deadline = clock.now() + limits.SUBCALL_TIMEOUT_MS
  const text = await bus.ask(hostId, KIND, JSON.stringify(asked), { deadline }).catch((error: unknown) => {
    // With its host the call has ended, and its token with it.
    if (error instanceof BusError && (error.code === 'no_host' || error.code === 'failed'))
      throw unknownToken()
    throw error
  })
  const told: Told = JSON.parse(text)
  if ('made' in told) return told.made
  throw refuse(told.code, told.message, told.details)
}

/** Answers other hosts about the calls of this one, which `find` finds; resolves with what ends that. */
export function answerHosts(
  services: WorkServices,
  find: (token: string) => Sampling | null,
): Promise<() => void> {
  const { bus, hosts, log } = services
  return bus.answer(hosts.id, KIND, async (text) => {
    const { token, order }: Asked = JSON.parse(text)
    try {
      const sampling = find(token)
      if (!sampling) throw unknownToken()
      return JSON.stringify({ made: await makeOrdered(services, sampling, order) } satisfies Told)
    } catch (error) {
      const refusal = loggedRefusal(log, error, 'a session that another host asked for failed')
      const { code, message, details } = refusal
      return JSON.stringify({ code, message, details } satisfies Told)
    }
  })
}
