import type { Limits } from '@svc/contract'
import { createRunner, type Runner } from '@svc/runner'
import { isLoopback } from './edge/http/listen.ts'
import type { Logger } from './kernel/logger.ts'
import type { Settings } from './kernel/services.ts'
import type { HostOptions } from './settings.ts'

/** The runner of a host, and what it does as the host begins to listen. */
interface OfHost {
  /** `null`: this host has no tools. */
  readonly runner: Runner | null
  onListen(address: string): void
}

/**
 * Makes the runner of a host, or takes the one that it was given. A host that others can reach starts no plugin without
 * isolation, unless its operator said otherwise: anybody who may sign in may publish one.
 */
export function runnerOf(
  { runner, isolation, allowLoopback = [] }: HostOptions,
  { harness, isPublic }: Settings,
  { limits, log }: { readonly limits: Limits; readonly log: Logger },
): OfHost {
  if (runner !== undefined) return { runner, onListen() {} }
  const made = createRunner({
    limits,
    log,
    allowLoopback,
    isolation: isolation ?? (isPublic ? 'required' : 'auto'),
    showStderr: harness,
  })
  return {
    runner: made,
    onListen(address) {
      if (isolation === undefined && !isLoopback(address)) made.requireWalls()
    },
  }
}
