import type { Limits } from '@svc/contract'
import type { Clock } from '@svc/node'
import type { Bus, Store } from '@svc/state'
import type { Logger } from 'pino'
import { type Cursors, cursorsOf } from '../access/audit/cursors.ts'
import { openInFlight } from '../kernel/inflight.ts'
import type { Metrics } from '../kernel/metrics.ts'
import { openChannels } from './channels.ts'
import { userJournal } from './emit.ts'
import { filterOf } from './filter.ts'
import { liveStreams } from './live-streams.ts'
import type { EventsQuery } from './query.ts'
import { openReader, type Place, type Reader } from './reader.ts'
import type { Sink, Source } from './sink.ts'
import { moved, reset, retry } from './sse.ts'
import { openOwnTurns, openTurn } from './turn.ts'

/** A page's wish, and whose page it is. */
export interface EventsRequest extends EventsQuery {
  readonly userId: string
}

/** The open event streams of this host. */
export interface EventStreams {
  /** Opens a stream into `sink`; it lives until its reader goes, stalls, or the host closes. */
  open(request: EventsRequest, sink: Sink): Source
  /** Whether a user has as many open as he may have. */
  isFull(userId: string): boolean
  /** Ends the streams of a user that are open. */
  endOf(userId: string): void
  /** Ends every stream; later ones end at once. Twice is harmless. */
  close(): void
}

/** What event streams need. */
export interface EventStreamsDeps {
  readonly bus: Bus
  readonly store: Store
  readonly clock: Clock
  readonly limits: Limits
  readonly log: Logger
  readonly metrics: Pick<Metrics, 'readers'>
}

/** Opens the streams in which pages read their events. */
export function openEventStreams(deps: EventStreamsDeps): EventStreams {
  const { bus, store, clock, limits, log, metrics } = deps
  const journals = bus.journal
  const channels = openChannels({ journals, limits, log })
  const atTurnEnd = openTurn()
  const ownTurn = openOwnTurns()
  const open = new Map<() => void, string>()
  const ofUsers = openInFlight(limits.EVENT_STREAMS_PER_USER)
  let closed = false

  /** Where a page goes on: at its cursor when all behind it still stands, else at the end of the journal. */
  async function placeOf(request: EventsRequest, cursors: Cursors): Promise<Place> {
    const { userId, lastEventId } = request
    const seen = lastEventId === null ? null : cursors.read(lastEventId)
    const journal = userJournal(userId)
    const before = await journals.read(journal, seen ?? 0, { limit: 0 })
    const resumed = seen !== null && !before.reset
    const after = resumed ? seen : before.tail
    const first = lastEventId === null || resumed ? moved : reset
    const streams = await liveStreams(store, request)
    // A run that was found is told of in the journal by this tail; what is not in both comes behind it.
    const { tail } = await journals.read(journal, after, { limit: 0 })
    return { tail, after, streams, opening: retry(limits) + first(cursors.write(after)) }
  }

  return {
    open(request, sink) {
      let reader: Reader | null = null
      let over = false
      const finish = () => {
        if (over) return
        over = true
        open.delete(end)
        ofUsers.leave(request.userId)
        metrics.readers(-1)
      }
      const end = () => {
        if (reader) return reader.end()
        if (!over) sink.end()
        finish()
      }
      const begin = async () => {
        const { userId } = request
        const cursors = cursorsOf(bus.epoch, userId)
        const place = await placeOf(request, cursors)
        if (over) return
        const filter = filterOf(request)
        const parts = { journals, channels, clock, limits, log, atTurnEnd, ownTurn }
        reader = openReader({ ...parts, userId, cursors, filter, sink, place, onOver: finish })
      }
      metrics.readers(1)
      ofUsers.add(request.userId)
      open.set(end, request.userId)
      if (closed) end()
      else
        begin().catch((err: unknown) => {
          log.warn({ err }, 'an event stream could not be opened')
          end()
        })
      return {
        drained: () => reader?.drained(),
        gone: () => (reader ? reader.gone() : finish()),
      }
    },
    isFull: ofUsers.isFull,
    endOf(userId) {
      for (const [end, owner] of open) if (owner === userId) end()
    },
    close() {
      closed = true
      for (const end of open.keys()) end()
    },
  }
}
