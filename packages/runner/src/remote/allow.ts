import { termsDigest } from '@svc/contract/digest'
import type { Limits } from '@svc/contract/limits'
import { publisherText } from '@svc/contract/publisher'
import { type Reach, readReach } from '@svc/contract/reach'
import type { Clock } from '@svc/node'
import type { LinkPlugin } from '../link/index.ts'
import type { Log } from '../port/log.ts'
import { type Failure, failure } from '../port/runner.ts'

/** A plugin that a host wants this machine to run. All of it is what the host says. */
export interface OfferedPlugin {
  /** The id of the plugin. */
  readonly id: string
  /** The version to run. */
  readonly version: string
  /** The user who published it; `null`: the host does not say. */
  readonly author: string | null
  /** Whether its author is the user of this machine. */
  readonly isOwn: boolean
  /** How it comes onto the machine; not validated. */
  readonly distribution: Readonly<Record<string, unknown>>
  /** What it may reach beyond its own folder; left out: nothing. */
  readonly reach: Reach | undefined
  /**
   * Another where id, author, version, distribution or reach is another. This machine computes it, over what it is about
   * to start; the host shows its user the same.
   */
  readonly digest: string
}

/** Decides whether a machine takes a plugin. */
export type AllowPlugin = (plugin: OfferedPlugin) => boolean | Promise<boolean>

/** Returns why a plugin is refused, `null` where this machine takes it; never rejects. */
export type Gate = (
  plugin: LinkPlugin,
  wait: { readonly waitMs: number; readonly signal: AbortSignal },
) => Promise<Failure | null>

/** What a gate needs. */
export interface GateParts {
  readonly allow: AllowPlugin
  /** Whose machine this is, as the host says. */
  readonly userId: string
  readonly clock: Clock
  readonly limits: Pick<Limits, 'RUNNER_ALLOW_MS'>
  readonly log: Log
}

/** Opens the gate of one link. */
export function openGate({ allow, userId, clock, limits, log }: GateParts): Gate {
  async function decide(plugin: OfferedPlugin): Promise<boolean> {
    try {
      return (await allow(plugin)) === true
    } catch (err) {
      log.warn({ err, plugin: plugin.id }, 'what decides about plugins failed')
      return false
    }
  }

  return async (told, { waitMs, signal }) => {
    const plugin = offered(told, userId)
    const { promise: givenUp, resolve } = Promise.withResolvers<'late'>()
    const onAbort = () => resolve('late')
    const stop = clock.setTimer(onAbort, Math.min(waitMs, limits.RUNNER_ALLOW_MS))
    signal.addEventListener('abort', onAbort)
    const decided = await Promise.race([decide(plugin), givenUp])
    stop()
    signal.removeEventListener('abort', onAbort)
    return decided === true ? null : refusal(plugin, decided)
  }
}

/** Returns the author of a plugin in words, as one whom this machine cannot verify. */
export const authorText = (author: string | null): string =>
  author === null ? 'an author whom its host does not name' : publisherText({ name: author, verified: false })

function refusal({ id, author, digest }: OfferedPlugin, decided: false | 'late'): Failure {
  const by = `it is by ${authorText(author)}`
  const why = decided === 'late' ? `${by}, and nobody has answered the question there yet` : by
  return failure('plug_unavailable', `${id} is not allowed on this machine: ${why}`, {
    hint: `To allow exactly these terms, start the runner there with: svc runner --allow ${id}@${digest}. To allow every version: --allow ${id}.`,
  })
}

function offered({ id, version, author, distribution, ...rest }: LinkPlugin, userId: string): OfferedPlugin {
  const reach = readReach(rest.reach)
  const owner = author ?? null
  return {
    id,
    version,
    distribution,
    reach,
    author: owner,
    isOwn: author === userId,
    digest: termsDigest({ tool_id: id, owner, version, distribution, reach }),
  }
}
