import { publisherText, refuse } from '@svc/contract'
import { visibleLine } from '@svc/contract/visible-text'
import { type KnownPlugin, nameOf, type Seeker } from '../../plugins/deployments/plugins.ts'
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
  services.events.emit(userId, 'plug_asked', window.id, {
    app_id: version.app_id,
    tool_id: plugin.tool_id,
    name: visibleLine(nameOf(plugin)),
    ...plugin.unagreed.terms,
  })
}

/** The refusal of a plugin that its user has not agreed to; `null`: there is nothing to refuse. */
export function unagreedRefusal({ handle, tool_id, unagreed }: KnownPlugin) {
  if (!unagreed) return null
  const { consent, terms } = unagreed
  const { publisher, version, digest } = terms
  const named = `the plugin ${JSON.stringify(handle)} ${version} by ${publisherText(publisher)}`
  const asked = `you have not agreed to run ${named}`
  const never = `you do not let ${named} run`
  return refuse('permission_denied', consent === 'asked' ? asked : never, {
    denied_by: 'grant',
    tool_id,
    version,
    digest,
    consent,
    // An app shows its user the message and the hint.
    hint:
      consent === 'asked'
        ? 'Answer the question that this page asks, then try again.'
        : 'You can change that under Manage, Apps.',
    ...(consent === 'asked' && {
      author_hint:
        'The page asks on the event plug_asked; call again after tools.changed. Over HTTP: install the app with it among grants.plugs.',
    }),
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
