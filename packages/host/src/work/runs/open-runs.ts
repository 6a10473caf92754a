import { all } from '@svc/state'
import { runs } from '../../catalog/run-row.ts'
import type { Owner } from '../../kernel/hosts/host-row.ts'
import { hostCloses } from '../jobs/parts.ts'
import type { ToolServices } from '../services.ts'
import { runTools } from '../sessions/session-tools.ts'
import { acceptRun, acceptStream } from './accept.ts'
import { attach, framesOf } from './attach.ts'
import { cancelAll, cancelRun, cancelStreams, stopTopic } from './cancel.ts'
import { closed } from './ending.ts'
import { openFlights } from './flights.ts'
import { forgetRuns, forgetSession } from './forget.ts'
import { sweepLost } from './lost.ts'
import type { RunHouse, RunParts } from './parts.ts'
import { openRoster } from './roster.ts'
import type { Runs } from './runs.ts'
import { look } from './watch.ts'

/** Opens the runs of a host. */
export const openRuns = (house: ToolServices): Runs =>
  openRunsWith(house, (rights) => runTools(house, rights))

/** Opens runs whose sessions have the tools that `toolsOf` says. */
export function openRunsWith(house: RunHouse, toolsOf: RunParts['toolsOf']): Runs {
  const { bus, clock, limits, store } = house
  const roster = openRoster()
  let listening: Promise<() => void> | null = null
  let self: Owner | null = null
  const parts: RunParts = {
    ...house,
    roster,
    toolsOf,
    me,
    flights: openFlights(),
    hostId: () => self?.host_id ?? null,
  }

  const mustBeOpen = () => {
    if (roster.isClosed) throw hostCloses()
  }

  /** A word of another host that is lost is made up for at the next look. */
  async function me(): Promise<Owner> {
    mustBeOpen()
    const owner = await house.hosts.me()
    self = owner
    listening ??= bus
      .subscribe(stopTopic(owner.host_id), (message) => {
        const held = roster.get(JSON.parse(message))
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
      if (!roster.isClosed) await sweepLost(parts)
    },
    forget: () => forgetRuns(parts),
    async close() {
      for (const held of roster.close()) {
        held.stop(closed)
        held.pen.close()
        held.wake()
      }
      let stopWaiting = () => {}
      const timeout = new Promise<void>((done) => {
        stopWaiting = clock.setTimer(done, limits.SHUTDOWN_MS)
      })
      await Promise.race([roster.empty(), timeout])
      stopWaiting()
      const stop = await listening?.catch(() => null)
      stop?.()
    },
  }
}
