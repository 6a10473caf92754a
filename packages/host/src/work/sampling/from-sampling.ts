import { refuse, wrongArgs } from '@svc/contract'
import { sessionOrder } from '@svc/contract/routes'
import type { WorkServices } from '../services.ts'
import { makeSession, type PluginSession } from './make-session.ts'

/**
 * Makes a session for whoever shows the sampling token of a call under way on this host: the token is
 * the only authority. `order` is as it came: `{kind, agent_submode, fixed_client_id?, label?, system_prompt?}`.
 * Errors: `invalid_token`, `invalid_arg`, those of `makeSession`.
 */
export async function fromSampling(
  services: WorkServices,
  token: string,
  order: unknown,
): Promise<PluginSession> {
  const sampling = services.samplings.find(token)
  if (!sampling) throw refuse('invalid_token', 'sampling_token must be the one of a call under way')
  const parsed = sessionOrder.safeParse(order)
  if (!parsed.success) throw wrongArgs(parsed.error, order)
  return makeSession(services, sampling, parsed.data)
}
