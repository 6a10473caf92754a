import { type Methods, type ResultOf, wrongArgs } from '@svc/contract'
import { sessionOrder } from '@svc/contract/routes'
import type { z } from 'zod'
import type { WorkServices } from '../services.ts'
import { sessionCreated } from '../sessions/view.ts'
import { checkAppRights, checkCapability, needsOf } from './may.ts'
import type { Sampling } from './samplings.ts'

/** A session as its plugin sees it: without its token. */
export type PluginSession = ResultOf<Methods['agent']['session.create']> & {
  readonly kind: 'agent' | 'complete'
  readonly label: string | null
}

/**
 * Makes a session for the plugin of a call, within what its app may do. Errors: `permission_denied`, `not_found`,
 * those of `Sessions.create`.
 */
export async function makeSession(
  services: WorkServices,
  sampling: Sampling,
  order: z.output<typeof sessionOrder>,
): Promise<PluginSession> {
  const { userId, appId, windowUuid, plugin, origin } = sampling
  const { kind } = order
  const submode = order.agent_submode ?? null
  const needs = needsOf({ kind, submode })
  checkCapability(sampling, needs.capability)
  const { version, install } = await checkAppRights(services, sampling, needs)
  const record = await services.sessions.create({
    userId,
    appId,
    version,
    install,
    windowUuid,
    origin,
    kind,
    submode,
    pluginId: plugin.tool_id,
    fixedClientId: order.fixed_client_id ?? null,
    label: order.label ?? null,
    systemPrompt: order.system_prompt ?? null,
    caps: {},
  })
  await services.samplings.sessions.keep(sampling, record)
  const created = await sessionCreated(services, record, { version, install })
  return { ...created, kind: record.row.kind, label: record.row.label }
}

/** The same for an order as it came: `{kind, agent_submode, fixed_client_id?, label?, system_prompt?}`. Errors: `invalid_arg` too. */
export async function makeOrdered(
  services: WorkServices,
  sampling: Sampling,
  order: unknown,
): Promise<PluginSession> {
  const parsed = sessionOrder.safeParse(order)
  if (!parsed.success) throw wrongArgs(parsed.error, order)
  return makeSession(services, sampling, parsed.data)
}
