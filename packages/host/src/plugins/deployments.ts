import type { Limits } from '@svc/contract'
import { type Failure, failure, type InstalledSpec } from '@svc/runner'
import type { Logger } from 'pino'
import type { Clock } from '../clock.ts'
import type { LinkChange, RunnerLink, Runners } from '../runners/runners.ts'
import { inTime } from '../sessions/in-time.ts'
import type { PluginContent } from './content.ts'
import type { KnownPlugin } from './plugins.ts'
import { openTrials } from './trials.ts'

/** How a plugin stands with the runners of a user. */
export type Standing = Pick<KnownPlugin, 'status' | 'problem' | 'link' | 'links'>
type Status = Standing['status']

/** A plugin that runs: no skill. */
export type Deployable = PluginContent & { readonly spec: InstalledSpec }

/** What deploying needs. */
export interface DeploymentDeps {
  readonly clock: Clock
  readonly limits: Limits
  readonly log: Logger
  readonly runners: Pick<Runners, 'online' | 'onChange'>
  /** Hears of a plugin that stands otherwise with the runners of a user. */
  readonly onStatus: (userId: string, content: PluginContent) => void
  /** Hears of a runner of a user that came or went, and how a plugin stood on it before that and stands after it. */
  readonly onLink: (userId: string, change: LinkChange, there: (content: PluginContent) => Move) => void
}

/** The status of a plugin on one runner, before and after that came or went. */
export interface Move {
  readonly before: Status
  readonly after: Status
}

/** What the runners of users have of published plugins. */
export interface Deployments {
  /** How a plugin stands with runners of a user, all that are online; begins what is missing or is due again. */
  look(userId: string, content: Deployable, links?: readonly RunnerLink[]): Standing
  /** The same, and nothing begins. */
  peek(userId: string, content: Deployable): Standing
  /** The status that a plugin has without one of the runners. */
  without(userId: string, content: PluginContent, link: RunnerLink): Status
  /** Knows nothing more of contents that nobody can ask for. */
  forget(isGone: (userId: string, content: PluginContent) => boolean): void
  sweep(): void
  close(): void
}

/** One plugin on one runner, for one user. */
interface Deployment {
  readonly userId: string
  readonly link: RunnerLink
  readonly content: Deployable
  readonly end: AbortController
  status: Status
  problem: string | null
}

const RANK: Readonly<Record<Status, number>> = { unavailable: 0, deploying: 1, available: 2 }

/** The better of two: a plugin stands as it does on the best of its runners. */
export const better = (a: Status, b: Status): Status => (RANK[a] < RANK[b] ? b : a)

const OFFLINE = 'no runner of this user is online'
const UNASKED = 'it is installed when an app first asks for it'

/**
 * Opens the deployments of a host: of each user, runner and content one, made on demand, forgotten with its runner;
 * `PLUG_COPIES_MAX` at most, the ones that were asked for last.
 */
export function openDeployments({
  clock,
  limits,
  log,
  runners,
  onStatus,
  onLink,
}: DeploymentDeps): Deployments {
  const held = new Map<string, Deployment>()
  const trials = openTrials({ clock, limits, attempt })
  const keyOf = (userId: string, { id, epoch }: RunnerLink, { digest }: PluginContent) =>
    `${userId}\n${id}\n${epoch}\n${digest}`

  function drop(key: string, reason: string) {
    held.get(key)?.end.abort(new Error(reason))
    held.delete(key)
    trials.forget(key)
  }

  /** The deployment on a runner, begun where there is none. */
  function on(userId: string, link: RunnerLink, content: Deployable): Deployment {
    const key = keyOf(userId, link, content)
    const found = held.get(key)
    if (found) {
      held.delete(key)
      held.set(key, found)
      if (found.status === 'unavailable') trials.retry(key)
      return found
    }
    const begun: Deployment = {
      ...{ userId, link, content, end: new AbortController(), status: 'deploying', problem: null },
    }
    held.set(key, begun)
    const oldest = held.keys().next().value
    if (held.size > limits.PLUG_COPIES_MAX && oldest !== undefined) drop(oldest, 'others were asked for')
    trials.start(key)
    return begun
  }

  function standingOf(all: readonly Deployment[], problem: string): Standing {
    let best: Deployment | undefined
    const ready: RunnerLink[] = []
    for (const one of all) {
      if (one.status === 'available') ready.push(one.link)
      if (!best || isBetter(one, best)) best = one
    }
    if (!best) return { status: 'unavailable', problem, link: null }
    const { status, link } = best
    return { status, link, problem: best.problem, ...(ready.length > 1 && { links: ready }) }
  }

  const known = (userId: string, content: PluginContent) =>
    runners.online(userId).flatMap((link) => held.get(keyOf(userId, link, content)) ?? [])

  /** Sets what is known, and tells where the plugin now stands otherwise with all runners of its user. */
  function set(one: Deployment, status: Status, problem: string | null) {
    const { userId, link, content } = one
    const rest = without(userId, content, link)
    const before = better(rest, one.status)
    one.status = status
    one.problem = problem
    if (before !== better(rest, status)) onStatus(userId, content)
  }

  function without(userId: string, content: PluginContent, link: RunnerLink): Status {
    const others = runners.online(userId).filter(({ id, epoch }) => id !== link.id || epoch !== link.epoch)
    return others
      .map((other) => held.get(keyOf(userId, other, content))?.status ?? 'deploying')
      .reduce(better, 'unavailable')
  }

  async function attempt(key: string): Promise<boolean> {
    const one = held.get(key)
    if (!one) return true
    if (one.status !== 'deploying') set(one, 'deploying', null)
    const ms = limits.INSTALL_TIMEOUT_MS + limits.DESCRIBE_TIMEOUT_MS
    const late = () => new Error(`it was not ready within ${ms} ms`)
    const outcome = await inTime((signal) => bring(one, signal), {
      ...{ clock, ms, late, signal: one.end.signal },
    }).catch((err: unknown): Failure => {
      if (held.get(key) === one) log.error({ err, plugin: one.content.tool_id }, 'a plugin was not deployed')
      return failure('plug_unavailable', err instanceof Error ? err.message : 'its runner broke down')
    })
    if (held.get(key) !== one) return true
    if (outcome.ok) set(one, 'available', outcome.problem)
    else {
      const { code, details, message } = outcome
      log.warn({ plugin: one.content.tool_id, runner: one.link.id, code, details }, message)
      set(one, 'unavailable', message)
    }
    return outcome.ok
  }

  /** Installs, then asks the process what it is: one that does not answer is not there. */
  async function bring({ link, content: { tool_id, spec, description } }: Deployment, signal: AbortSignal) {
    const { runner } = link
    const installed = await runner.install(spec, {
      signal,
      deadlineMs: clock.now() + limits.INSTALL_TIMEOUT_MS,
    })
    if (!installed.ok) return installed
    const told = await runner.describe(spec, { signal, deadlineMs: clock.now() + limits.DESCRIBE_TIMEOUT_MS })
    if (!told.ok) return told
    const has = new Set(told.description.tools.map(({ name }) => name))
    const missing = (description?.tools ?? []).map(({ name }) => name).filter((name) => !has.has(name))
    if (missing.length === 0) return { ok: true, problem: null } as const
    const problem = `its process does not know these tools of its manifest: ${missing.join(', ')}`
    log.warn({ plugin: tool_id, runner: link.id, missing }, problem)
    return { ok: true, problem } as const
  }

  const stop = runners.onChange((change) => {
    const { userId, link, isOnline } = change
    const stood = new Map<string, Status>()
    for (const [key, one] of held) {
      if (one.link.id !== link.id || (isOnline && one.link.epoch === link.epoch)) continue
      stood.set(one.content.digest, one.status)
      drop(key, 'its runner went')
    }
    // A runner that comes again displaces its older link; what nobody asked for on a runner would be deployed there.
    const unasked: Move = isOnline
      ? { before: 'unavailable', after: 'deploying' }
      : { before: 'deploying', after: 'unavailable' }
    const there = ({ digest }: PluginContent) => ({ ...unasked, before: stood.get(digest) ?? unasked.before })
    if (userId !== null) onLink(userId, change, there)
  })

  return {
    look: (userId, content, links = runners.online(userId)) =>
      standingOf(
        links.map((link) => on(userId, link, content)),
        OFFLINE,
      ),
    peek: (userId, content) =>
      standingOf(known(userId, content), runners.online(userId).length === 0 ? OFFLINE : UNASKED),
    without,
    forget(isGone) {
      for (const [key, { userId, content }] of held)
        if (isGone(userId, content)) drop(key, 'it is another now')
    },
    sweep: trials.sweep,
    close() {
      stop()
      for (const key of [...held.keys()]) drop(key, 'this host is closed')
    },
  }
}

/** Of two that stand alike the one with fewer busy processes, then the older. */
function isBetter(one: Deployment, other: Deployment): boolean {
  const difference = RANK[one.status] - RANK[other.status]
  if (difference !== 0) return difference > 0
  return one.link.runner.stats().busy < other.link.runner.stats().busy
}
