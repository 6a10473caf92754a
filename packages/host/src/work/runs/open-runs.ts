import { all } from '@svc/state'
import { runs } from '../../catalog/run-row.ts'
import { openOwnership } from '../engine/ownership.ts'
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
  const { clock, limits, store } = services
  const activeRuns = openActiveRuns()
  let taken = 0
  const parts: RunParts = {
    ...services,
    activeRuns,
    nextTurn: () => ++taken,
    toolsOf,
    ownership: openOwnership(services, {
      topicOf: stopTopic,
      // A word that is lost is made up for at the next look.
      heard(message) {
        const held = activeRuns.get(JSON.parse(message))
        if (held) void look(parts, held)
      },
      isClosed: () => activeRuns.isClosed,
    }),
    flights: openFlights(),
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
      await parts.ownership.close()
    },
  }
}
