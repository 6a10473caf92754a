import type { Limits } from '@svc/contract'
import type { Clock } from '@svc/node'
import { type Bus, each, type Store } from '@svc/state'
import type { Logger } from 'pino'
import { type Cursors, cursorsOf } from '../access/audit/cursors.ts'
import { runs } from '../catalog/run-row.ts'
import { openInFlight } from '../kernel/inflight.ts'
import type { Metrics } from '../kernel/metrics.ts'
import { openChannels } from './channel.ts'
import { type EventStream, openEventStream, type Place } from './event-stream.ts'
import { userJournal } from './events.ts'
import { openCatchUpQueue } from './feed.ts'
import { type Follow, followKey } from './item.ts'
import type { EventsQuery, StreamPlace } from './query.ts'
import { moved, reset, retry } from './sse.ts'
import { type Connection, type ConnectionEvents, openFlushSchedule } from './stream-writer.ts'
import { filterOf } from './view.ts'

/** What a page asks for, and whose page it is. */
export interface EventsRequest extends EventsQuery {
  readonly userId: string
}

/** The open event streams of this host. */
export interface EventStreams {
  /** Opens a stream into a connection; it lives until its reader goes, stalls, or the host closes. */
  open(request: EventsRequest, connection: Connection): ConnectionEvents
  /** Whether a user has as many open as he may have. */
  isFull(userId: string): boolean
  /** Ends the streams of a user that are open. */
  endOf(userId: string): void
  /** Ends every stream, whose page connects again at once; later ones end at once. Twice is harmless. */
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
  const schedule = openFlushSchedule()
  const catchUpQueue = openCatchUpQueue()
  const open = new Map<(isLeaving?: boolean) => void, string>()
  const ofUsers = openInFlight(limits.EVENT_STREAMS_PER_USER)
  let closed = false

  /** Where a page continues: at its cursor if all entries after it are still kept, else at the end of the journal. */
  async function placeOf(request: EventsRequest, cursors: Cursors): Promise<Place> {
    const { userId, lastEventId } = request
    const seen = lastEventId === null ? null : cursors.read(lastEventId)
    const journal = userJournal(userId)
    const before = await journals.read(journal, seen ?? 0, { limit: 0 })
    const resumed = seen !== null && !before.reset
    const after = resumed ? seen : before.tail
    const first = lastEventId === null || resumed ? moved : reset
    const streams = await liveStreams(store, request)
    // A run that was found is in the journal up to this tail; a run that is in neither comes after it.
    const { tail } = await journals.read(journal, after, { limit: 0 })
    return { tail, after, streams, opening: retry(limits) + first(cursors.write(after)) }
  }

  return {
    open(request, connection) {
      let stream: EventStream | null = null
      let over = false
      const finish = () => {
        if (over) return
        over = true
        open.delete(end)
        ofUsers.leave(request.userId)
        metrics.readers(-1)
      }
      const end = (isLeaving = false) => {
        if (stream) return isLeaving ? stream.leave() : stream.end()
        if (!over) connection.end()
        finish()
      }
      const begin = async () => {
        const { userId } = request
        const cursors = cursorsOf(bus.epoch, userId)
        const place = await placeOf(request, cursors)
        if (over) return
        const filter = filterOf(request)
        const parts = { journals, channels, clock, limits, log, schedule, catchUpQueue }
        stream = openEventStream({ ...parts, userId, cursors, filter, connection, place, onOver: finish })
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
        onDrain: () => stream?.onDrain(),
        onClose: () => (stream ? stream.onClose() : finish()),
      }
    },
    isFull: ofUsers.isFull,
    endOf(userId) {
      for (const [end, owner] of open) if (owner === userId) end()
    },
    close() {
      closed = true
      for (const end of [...open.keys()]) end(true)
    },
  }
}

/**
 * The streams that a page follows from its beginning: every run of its windows whose frames are not all there, and
 * the streams it names, from where it names them. A stream of another user is like one that never was.
 */
async function liveStreams(store: Store, { userId, windows, streams }: EventsRequest): Promise<Follow[]> {
  const shown = new Set(windows)
  const follows = new Map<string, Follow>()
  const add = (windowUuid: string | null, streamId: string, after: number | null) => {
    if (windowUuid === null || !shown.has(windowUuid)) return
    const follow = { windowUuid, streamId, after }
    follows.set(followKey(follow), follow)
  }

  async function addOpen(): Promise<void> {
    for await (const { row } of each(store, runs, 'openByWindow', { eq: [userId] }))
      add(row.window_uuid, row.stream_id, null)
  }

  async function find({ streamId }: StreamPlace) {
    const { rows } = await store.scan(runs, 'byStream', { eq: [streamId], limit: 1 })
    const row = rows[0]?.row
    return row?.user_id === userId ? row : null
  }

  if (shown.size === 0) return []
  const [rows] = await Promise.all([Promise.all(streams.map(find)), addOpen()])
  for (const [at, place] of streams.entries()) {
    const row = rows[at]
    if (row) add(place.windowUuid ?? row.window_uuid, row.stream_id, place.after)
  }
  return [...follows.values()]
}
