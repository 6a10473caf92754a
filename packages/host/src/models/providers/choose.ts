import { type ModelPreferences, refuse } from '@svc/contract'
import type { ConfiguredModel } from './models.ts'

/** A configured model with its name. */
export type Candidate = readonly [name: string, configured: ConfiguredModel]

const MIDDLE = 0.5

/**
 * The model that fits best: of those that the install allows, the first hint that begins a name or an id counts, then
 * the priorities, then the order in which they were configured, `default` first. Hints and priorities are wishes:
 * one that nothing fits changes nothing.
 * Errors: `permission_denied` where the install allows none.
 */
export function choose(
  candidates: readonly Candidate[],
  { hints = [], ...priorities }: ModelPreferences,
  granted: readonly string[] | undefined,
): Candidate {
  const allowed = candidates.filter(
    ([name, { model }]) => !granted || granted.includes(name) || granted.includes(model.modelId),
  )
  const hinted = hints
    .map((hint) => allowed.filter((candidate) => begins(candidate, hint.name)))
    .find((fitting) => fitting.length > 0)
  const [first, ...others] = hinted ?? allowed
  if (!first)
    throw refuse('permission_denied', 'this app may use none of the models of this host', {
      denied_by: 'grant',
      hint: `Install the app without models, or with some of: ${candidates.map(([name]) => name).join(', ')}.`,
    })
  return others.reduce((best, one) => (score(one, priorities) > score(best, priorities) ? one : best), first)
}

function begins([name, { model }]: Candidate, hint: string): boolean {
  const wanted = hint.toLowerCase()
  return [name, model.modelId].some((one) => one.toLowerCase().startsWith(wanted))
}

function score(
  [, { cost = MIDDLE, speed = MIDDLE, intelligence = MIDDLE }]: Candidate,
  { costPriority = 0, speedPriority = 0, intelligencePriority = 0 }: Omit<ModelPreferences, 'hints'>,
): number {
  return costPriority * (1 - cost) + speedPriority * speed + intelligencePriority * intelligence
}
