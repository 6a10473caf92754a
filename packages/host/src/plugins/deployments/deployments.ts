import type { Limits } from '@svc/contract'
import { offlineProblem, unaskedProblem } from '@svc/contract/browser'
import { describeMs, type Failure, failure, plainLine } from '@svc/runner'
import { inTime } from '../../kernel/in-time.ts'
import type { RunnerLink, Runners } from '../../machines/runners.ts'
import type { PluginServices } from '../services.ts'
import type { PluginContent } from './content.ts'
import { deploy } from './deploy.ts'
import {
  betterStatus,
  type Deployable,
  type PluginState,
  problemOf,
  type Status,
  stateOf,
} from './plugin-state.ts'
import { openRetries } from './retries.ts'

/** One plugin on one runner, for one user. */
interface Deployment {
  readonly userId: string
  readonly link: RunnerLink
  /** With what its user gave last. */
  content: Deployable
  readonly end: AbortController
  status: Status
  problem: string | null
  stderr?: string | undefined
}

/** What a process said last on stderr, as its runner reports it: text of another machine. */
const stderrIn = (details: Failure['details'], { NOISE_SHOWN_CHARS }: Limits): string | undefined =>
  typeof details?.stderr === 'string' ? plainLine(details.stderr).slice(0, NOISE_SHOWN_CHARS) : undefined

/**
 * Opens the deployments of a host, which is what the runners of users have of published plugins: of each user, runner and
 * content one, made on demand, forgotten with its runner; `PLUG_COPIES_MAX` at most: past it the user with the most loses
 * the one that was asked for longest ago.
 */
export function openDeployments(
  services: Pick<PluginServices, 'clock' | 'limits' | 'log'> & {
    readonly runners: Pick<Runners, 'online' | 'onChange'>
  },
  {
    onStatus,
    onLink,
  }: {
    /** Is called with a plugin whose state on the runners of a user has changed. */
    readonly onStatus: (userId: string, content: PluginContent) => void
    /** Is called when a runner of a user came or went, and for which contents that makes another status. */
    readonly onLink: (userId: string, isOther: (content: PluginContent) => boolean) => void
  },
) {
  const { clock, limits, log, runners } = services
  const held = new Map<string, Deployment>()
  const retries = openRetries(services, attempt)
  const keyOf = (userId: string, { id, epoch }: RunnerLink, { digest }: PluginContent) =>
    `${userId}\n${id}\n${epoch}\n${digest}`

  function drop(key: string, reason: string) {
    held.get(key)?.end.abort(new Error(reason))
    held.delete(key)
    retries.forget(key)
  }

  /** The deployment on a runner, begun where there is none. */
  function on(userId: string, link: RunnerLink, content: Deployable): Deployment {
    const key = keyOf(userId, link, content)
    const found = held.get(key)
    if (found) {
      found.content = content
      held.delete(key)
      held.set(key, found)
      if (found.status === 'unavailable') retries.retry(key)
      return found
    }
    const begun: Deployment = {
      userId,
      link,
      content,
      end: new AbortController(),
      status: 'deploying',
      problem: null,
    }
    held.set(key, begun)
    if (held.size > limits.PLUG_COPIES_MAX) drop(oldestOfMost(), 'others were asked for')
    retries.start(key)
    return begun
  }

  /** Nobody's plugins make room for those of a user who has more. */
  function oldestOfMost(): string {
    const oldest = new Map<string, { readonly key: string; count: number }>()
    for (const [key, { userId }] of held) {
      const one = oldest.get(userId)
      if (one) one.count += 1
      else oldest.set(userId, { key, count: 1 })
    }
    return [...oldest.values()].reduce((most, one) => (one.count > most.count ? one : most)).key
  }

  const known = (userId: string, content: PluginContent) =>
    runners.online(userId).flatMap((link) => held.get(keyOf(userId, link, content)) ?? [])

  /** Sets what is known, and notifies if the state of the plugin over all runners of its user changed. */
  function set(one: Deployment, status: Status, problem: string | null, stderr?: string) {
    const { userId, link, content } = one
    const rest = othersThan(userId, link)
      .map((other) => held.get(keyOf(userId, other, content))?.status ?? 'deploying')
      .reduce(betterStatus, 'unavailable')
    const before = betterStatus(rest, one.status)
    one.status = status
    one.problem = problem
    one.stderr = stderr
    if (before !== betterStatus(rest, status)) onStatus(userId, content)
  }

  const othersThan = (userId: string, { id, epoch }: RunnerLink) =>
    runners.online(userId).filter((other) => other.id !== id || other.epoch !== epoch)

  async function attempt(key: string): Promise<boolean> {
    const one = held.get(key)
    if (!one) return true
    if (one.status !== 'deploying') set(one, 'deploying', null)
    const ms = limits.INSTALL_TIMEOUT_MS + describeMs(one.content.spec, limits)
    const late = () => new Error(`it was not ready within ${ms} ms`)
    const outcome = await inTime((signal) => deploy(services, one, signal), {
      clock,
      ms,
      late,
      signal: one.end.signal,
    }).catch((err: unknown): Failure => {
      if (held.get(key) === one) log.error({ err, plugin: one.content.tool_id }, 'a plugin was not deployed')
      return failure('plug_unavailable', err instanceof Error ? err.message : 'its runner broke down')
    })
    if (held.get(key) !== one) return true
    if (outcome.ok) set(one, 'available', outcome.problem)
    else {
      const { code, details, message } = outcome
      log.warn({ plugin: one.content.tool_id, runner: one.link.id, code, details }, message)
      set(one, 'unavailable', problemOf(outcome), stderrIn(details, limits))
    }
    return outcome.ok
  }

  const stop = runners.onChange(({ userId, link, isOnline }) => {
    const stood = new Map<string, Status>()
    for (const [key, one] of held) {
      // A runner that comes again displaces its older link.
      if (one.link.id !== link.id || (isOnline && one.link.epoch === link.epoch)) continue
      stood.set(one.content.digest, one.status)
      drop(key, 'its runner went')
    }
    if (userId === null) return
    const elsewhere = statusOn(userId, othersThan(userId, link))
    onLink(userId, (content) => {
      const rest = elsewhere(content)
      const before = stood.get(content.digest) ?? (isOnline ? 'unavailable' : 'deploying')
      return betterStatus(rest, before) !== betterStatus(rest, isOnline ? 'deploying' : 'unavailable')
    })
  })

  /** The state of contents on some runners at this moment; one that nobody asked for would be deployed there. */
  function statusOn(userId: string, links: readonly RunnerLink[]): (content: PluginContent) => Status {
    const now = new Map([...held].map(([key, { status }]) => [key, status]))
    return (content) =>
      links
        .map((link) => now.get(keyOf(userId, link, content)) ?? 'deploying')
        .reduce(betterStatus, 'unavailable')
  }

  return {
    /**
     * The state of a plugin on runners of a user, by default all that are online; deploys what is missing or due again.
     */
    look: (userId: string, content: Deployable, links = runners.online(userId)): PluginState =>
      stateOf(
        links.map((link) => on(userId, link, content)),
        offlineProblem,
      ),
    /** The same, and nothing begins. */
    peek: (userId: string, content: Deployable): PluginState =>
      stateOf(known(userId, content), runners.online(userId).length === 0 ? offlineProblem : unaskedProblem),
    /** Knows nothing more of contents that nobody can ask for. */
    forget(isGone: (userId: string, content: PluginContent) => boolean): void {
      for (const [key, { userId, content }] of held)
        if (isGone(userId, content)) drop(key, 'it is another now')
    },
    sweep: retries.sweep,
    close(): void {
      stop()
      for (const key of [...held.keys()]) drop(key, 'this host is closed')
    },
  }
}
