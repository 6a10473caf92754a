import { methods, refuse } from '@svc/contract'
import { openInFlight } from '../../../kernel/inflight.ts'
import { hostClosing } from '../../../kernel/leaving.ts'
import { noSuchSession } from '../../../work/sessions/own-session.ts'
import { maxBodyBytes } from '../../rpc/long-bodies.ts'
import { type Bearer, readBearer } from './bearer.ts'
import { readLongJson } from './body.ts'
import type { Connection, RouteContext, RouteParts } from './env.ts'
import type { HandlersOf } from './mount.ts'
import { readArgs } from './query.ts'
import { runStream } from './run-stream.ts'

const { agent } = methods
const LAST_SEQ = /^\d{1,15}$/

/** The routes of who shows a session token: a run, answered with its frames as they come, and its cancel. */
export function sessionRunHandlers(parts: RouteParts): HandlersOf<'sessions.run' | 'sessions.cancel'> {
  const { services, longBodies, leaving } = parts
  const { limits, runs } = services
  const inFlight = openInFlight(limits.IN_FLIGHT_PER_WINDOW)
  return {
    async 'sessions.run'({ raw, context }) {
      if (leaving.aborted) throw hostClosing()
      const bearer = await readBearer(parts, context)
      const { owner, session, version, install } = bearer
      const given = await readLongJson(raw, {
        services,
        longBodies,
        userId: owner.userId,
        maxBytes: maxBodyBytes(version.manifest, limits),
      })
      const args = readArgs(agent['session.run'], named(bearer, given))
      checkSession(bearer, args)
      if (!inFlight.enter(session.id)) throw tooMany(limits.IN_FLIGHT_PER_WINDOW)
      const leave = () => inFlight.leave(session.id)
      try {
        const started = await runs.start({ ...owner, windowUuid: null, version, install }, args)
        const socket = socketOf(context)
        const last = raw.headers.get('last-event-id') ?? ''
        return await runStream(services, started, {
          after: LAST_SEQ.test(last) ? Number(last) : 0,
          leaving,
          cut: socket && (() => void socket.destroy()),
          onOver: leave,
        })
      } catch (error) {
        leave()
        throw error
      }
    },
    async 'sessions.cancel'({ context, json }) {
      const bearer = await readBearer(parts, context)
      const args = readArgs(agent['session.cancel'], named(bearer, await json()))
      checkSession(bearer, args)
      return {
        cancelled: await runs.cancel({ ...bearer.owner, sessionUuid: bearer.session.id }, args.run_id),
      }
    },
  }
}

/** The connection of a request that came over `node:http`. */
const socketOf = (c: RouteContext) => (c.env as Connection | undefined)?.incoming?.socket

/** Arguments of a route whose token names the session: they may leave it out. */
const named = ({ session }: Bearer, given: Readonly<Record<string, unknown>>) =>
  given.app_session_uuid === undefined && given.appSessionUuid === undefined
    ? { ...given, app_session_uuid: session.id }
    : given

/** A token is for one session and gives access to no other. */
function checkSession({ session }: Bearer, args: { readonly app_session_uuid: string }): void {
  if (args.app_session_uuid !== session.id) throw noSuchSession()
}

const tooMany = (max: number) =>
  refuse('rate_limited', `a session may have ${max} streams of runs open`, {
    hint: 'Read a stream to its end, or close it, before opening another.',
  })
