import type { Failure, InstalledSpec } from '@svc/runner'
import type { RunnerLink } from '../../machines/runners.ts'
import type { PluginContent } from './content.ts'
import type { KnownPlugin } from './plugins.ts'

/** The state of a plugin on the runners of a user. */
export type PluginState = Pick<KnownPlugin, 'status' | 'problem' | 'stderr' | 'link' | 'links'>
/** Its status alone. */
export type Status = PluginState['status']

/** A plugin that can run: no skill, and nothing is wrong with what is stored of it. */
export type Deployable = PluginContent & { readonly spec: InstalledSpec }

/** Whether there is something to run, and it may be run. */
export const isDeployable = (content: PluginContent | undefined): content is Deployable =>
  Boolean(content?.spec) && content?.fault === undefined

/** The state of a plugin that never runs. */
export const faultyState = ({ fault = 'it never runs' }: PluginContent) => ({ ...stateOf([], fault), fault })

/** The state of a plugin on one runner. */
export interface RunnerState {
  readonly link: RunnerLink
  readonly status: Status
  readonly problem: string | null
  readonly stderr?: string | undefined
}

const RANK: Readonly<Record<Status, number>> = { unavailable: 0, deploying: 1, available: 2 }

/** The better of two: a plugin has the status of its best runner. */
export const betterStatus = (a: Status, b: Status): Status => (RANK[a] < RANK[b] ? b : a)

/** The state of a plugin from its states on single runners; `problem` says why where there are none. */
export function stateOf(all: readonly RunnerState[], problem: string): PluginState {
  let best: RunnerState | undefined
  const ready: RunnerLink[] = []
  for (const one of all) {
    if (one.status === 'available') ready.push(one.link)
    if (!best || isBetter(one, best)) best = one
  }
  if (!best) return { status: 'unavailable', problem, link: null }
  const { status, link, stderr } = best
  const said = stderr !== undefined && { stderr }
  return { status, link, problem: best.problem, ...said, ...(ready.length > 1 && { links: ready }) }
}

/** Of two with the same status the one with fewer busy processes, then the older. */
function isBetter(one: RunnerState, other: RunnerState): boolean {
  const difference = RANK[one.status] - RANK[other.status]
  if (difference !== 0) return difference > 0
  return one.link.runner.stats().busy < other.link.runner.stats().busy
}

/** Why a plugin is unavailable, as its callers are told: the failure and, where the runner knows, what helps. */
export const problemOf = ({ message, details }: Failure): string =>
  details?.hint === undefined ? message : `${message.replace(/\.$/, '')}. ${details.hint}`
