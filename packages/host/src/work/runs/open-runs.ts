import { all } from '@svc/state'
import { runs } from '../../catalog/run-row.ts'
import type { Owner } from '../../kernel/hosts/host-row.ts'
import { hostCloses } from '../jobs/parts.ts'
import type { ToolServices } from '../services.ts'
import { runTools } from '../sessions/session-tools.ts'
import { acceptRun, acceptStream } from './accept.ts'
import { openActiveRuns } from './active-runs.ts'
import { attach, framesOf } from './attach.ts'
import { cancelAll, cancelRun, cancelStreams, stopTopic } from './cancel.ts'
import { closed } from './ending.ts'
import { openFlights } from './flights.ts'
import { forgetRuns, forgetSession } from './forget.ts'
import type { RunParts, RunServices } from './parts.ts'
import { recoverOrphans } from './recover-orphans.ts'
import type { Runs } from './runs.ts'
import { look } from './watch.ts'

/** Opens the runs of a host. */
export const openRuns = (services: ToolServices): Runs =>
  openRunsWith(services, (rights) => runTools(services, rights))

/** Opens runs whose sessions have the tools that `toolsOf` says. */
export function openRunsWith(services: RunServices, toolsOf: RunParts['toolsOf']): Runs {
  const { bus, clock, limits, store } = services
  const activeRuns = openActiveRuns()
  let listening: Promise<() => void> | null = null
  let self: Owner | null = null
  const parts: RunParts = {
    ...services,
    activeRuns,
    toolsOf,
    me,
    flights: openFlights(),
    hostId: () => self?.host_id ?? null,
  }

  const mustBeOpen = () => {
    if (activeRuns.isClosed) throw hostCloses()
  }

  /** A word of another host that is lost is made up for at the next look. */
  async function me(): Promise<Owner> {
    mustBeOpen()
    const owner = await services.hosts.me()
    self = owner
    listening ??= bus
      .subscribe(stopTopic(owner.host_id), (message) => {
        const held = activeRuns.get(JSON.parse(message))
        if (held) void look(parts, held)
      })
      .catch((error: unknown) => {
        listening = null
        throw error
      })
    await listening
    mustBeOpen()
    return owner
  }

  return {
    start: async (caller, args) => acceptRun(parts, caller, args),
    stream: (caller, args) => acceptStream(parts, caller, args),
    cancel: (owner, runId) => cancelRun(parts, owner, runId),
    attach: (owner, runId, afterSeq, windowUuid) => attach(parts, owner, runId, afterSeq, windowUuid),
    frames: (streamId, afterSeq, signal) => framesOf(parts, streamId, afterSeq, signal),
    cancelAll: (sessionUuid, why) => cancelAll(parts, sessionUuid, why),
    cancelStreams: (userId, appId) => cancelStreams(parts, userId, appId),
    async activeOf(sessionUuid) {
      return (await all(store, runs, 'activeBySession', { eq: [sessionUuid] })).length
    },
    forgetSession: (sessionUuid) => forgetSession(parts, sessionUuid),
    async sweep() {
      if (!activeRuns.isClosed) await recoverOrphans(parts)
    },
    forget: () => forgetRuns(parts),
    async close() {
      for (const held of activeRuns.close()) {
        held.stop(closed)
        held.frameWriter.close()
        held.wake()
      }
      let stopWaiting = () => {}
      const timeout = new Promise<void>((done) => {
        stopWaiting = clock.setTimer(done, limits.SHUTDOWN_MS)
      })
      await Promise.race([activeRuns.empty(), timeout])
      stopWaiting()
      const stop = await listening?.catch(() => null)
      stop?.()
    },
  }
}
