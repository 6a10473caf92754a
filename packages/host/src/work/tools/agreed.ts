import { publisherText, refuse } from '@svc/contract'
import type { KnownPlugin, Seeker } from '../../plugins/deployments/plugins.ts'
import type { WorkServices } from '../services.ts'

/** The caller of a plugin, and what is needed to ask its user for consent. */
export interface ConsentContext extends Seeker {
  readonly services: Pick<WorkServices, 'events'>
}

/** Has the page ask the user about a plugin that was not agreed to; one that was refused for good is not asked about. */
export function askForConsent(
  { services, userId, version, window }: ConsentContext,
  plugin: KnownPlugin,
): void {
  if (plugin.unagreed?.consent !== 'asked' || !version || !window) return
  const name = plugin.description?.name ?? plugin.handle
  services.events.emit(userId, 'plug_asked', window.id, {
    app_id: version.app_id,
    tool_id: plugin.tool_id,
    name,
    ...plugin.unagreed.terms,
  })
}

/** The refusal of a plugin that its user has not agreed to; `null`: there is nothing to refuse. */
export function unagreedRefusal({ handle, tool_id, unagreed }: KnownPlugin) {
  if (!unagreed) return null
  const { consent, terms } = unagreed
  const { publisher, version, digest } = terms
  const named = `the plugin ${JSON.stringify(handle)} ${version} by ${publisherText(publisher)}`
  const asked = `the user has not agreed to run ${named}`
  const never = `the user does not let ${named} run`
  return refuse('permission_denied', consent === 'asked' ? asked : never, {
    denied_by: 'grant',
    tool_id,
    version,
    digest,
    consent,
    hint:
      consent === 'asked'
        ? 'The page asks the user; call again after tools.changed. Over HTTP: install the app with it among grants.plugs.'
        : 'The user can change that on the page under Manage, Apps.',
  })
}

/**
 * Refuses a call of a plugin that its user has not agreed to, and asks the user on the page. Errors:
 * `permission_denied`.
 */
export function checkAgreed(asking: ConsentContext, plugin: KnownPlugin): void {
  const refusal = unagreedRefusal(plugin)
  if (!refusal) return
  askForConsent(asking, plugin)
  throw refusal
}
