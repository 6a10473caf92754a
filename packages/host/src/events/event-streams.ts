import type { Limits } from '@svc/contract'
import type { Clock } from '@svc/node'
import { type Bus, each, type Store } from '@svc/state'
import { type Cursors, cursorsOf } from '../access/audit/cursors.ts'
import { runs } from '../catalog/run-row.ts'
import { type ByOwner, openByOwner } from '../kernel/by-owner.ts'
import type { Logger } from '../kernel/logger.ts'
import type { Metrics } from '../kernel/metrics.ts'
import { openChannels } from './channel.ts'
import { EventStream, type Place, type StreamOwner, type StreamsHost } from './event-stream.ts'
import { userJournal } from './events.ts'
import { openCatchUpQueue } from './feed.ts'
import { type Follow, followKey } from './item.ts'
import type { EventsQuery, StreamPlace } from './query.ts'
import { moved, reset, retry, retryAtOnce } from './sse.ts'
import { type Connection, type ConnectionEvents, openFlushSchedule } from './stream-writer.ts'
import { filterOf } from './view.ts'

/** What a page asks for, and whose page it is. */
export interface EventsRequest extends EventsQuery {
  readonly userId: string
  /** When what its page is signed in with is over, Unix ms: the stream ends, and the page goes on with what is new. */
  readonly untilMs?: number | undefined
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

/** What the open streams of a host share. */
interface OpenStreams extends StreamsHost {
  readonly deps: EventStreamsDeps
  readonly open: ByOwner<OpenStream>
}

/** Opens the streams in which pages read their events. */
export function openEventStreams(deps: EventStreamsDeps): EventStreams {
  const { bus, clock, limits, log } = deps
  const journals = bus.journal
  const open = openByOwner<OpenStream>()
  const all: OpenStreams = {
    deps,
    open,
    journals,
    channels: openChannels({ journals, clock, limits, log }),
    clock,
    limits,
    log,
    schedule: openFlushSchedule(),
    catchUpQueue: openCatchUpQueue(),
  }
  let closed = false

  return {
    open(request, connection) {
      const stream = new OpenStream(all, request.userId, connection)
      if (closed) stream.end()
      else void stream.begin(request)
      return stream
    },
    isFull: (userId) => open.count(userId) >= limits.EVENT_STREAMS_PER_USER,
    endOf(userId) {
      for (const stream of open.of(userId)) stream.end()
    },
    close() {
      closed = true
      for (const stream of open.all()) stream.end(true)
    },
  }
}

/**
 * A stream from its request on, which may be over before its page's place is known. A class, because a host has one for
 * each page that is open: its methods are made once.
 */
class OpenStream implements ConnectionEvents, StreamOwner {
  readonly #all: OpenStreams
  readonly #userId: string
  readonly #connection: Connection
  #stream: EventStream | null = null
  #isOver = false
  #stopTimer = () => {}

  constructor(all: OpenStreams, userId: string, connection: Connection) {
    this.#all = all
    this.#userId = userId
    this.#connection = connection
    all.deps.metrics.readers(1)
    all.open.add(userId, this)
  }

  async begin(request: EventsRequest): Promise<void> {
    try {
      const cursors = cursorsOf(this.#all.deps.bus.epoch, this.#userId)
      const place = await placeOf(this.#all.deps, request, cursors)
      if (this.#isOver) return
      const parts = { cursors, filter: filterOf(request), connection: this.#connection, place, owner: this }
      this.#stream = new EventStream(this.#all, { ...parts, userId: this.#userId })
      const { clock, limits } = this.#all
      const { poll, untilMs = Number.POSITIVE_INFINITY } = request
      const ms = poll ? limits.EVENT_POLL_MS : Math.max(0, untilMs - clock.now())
      if (Number.isFinite(ms) && !this.#isOver) this.#stopTimer = clock.setTimer(() => this.end(), ms)
    } catch (err) {
      this.#all.log.warn({ err }, 'an event stream could not be opened')
      this.end()
    }
  }

  end(isLeaving = false): void {
    if (this.#stream) {
      if (isLeaving) this.#stream.leave()
      else this.#stream.end()
      return
    }
    if (!this.#isOver) {
      if (isLeaving) this.#connection.write(Buffer.from(retryAtOnce))
      this.#connection.end()
    }
    this.onStreamOver()
  }

  onDrain(): void {
    this.#stream?.onDrain()
  }

  onClose(): void {
    if (this.#stream) this.#stream.onClose()
    else this.onStreamOver()
  }

  onStreamOver(): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#stopTimer()
    this.#all.open.remove(this.#userId, this)
    this.#all.deps.metrics.readers(-1)
  }
}

/** Where a page continues: at its cursor if all entries after it are still kept, else at the end of the journal. */
async function placeOf(
  { bus, store, limits }: EventStreamsDeps,
  request: EventsRequest,
  cursors: Cursors,
): Promise<Place> {
  const { userId, lastEventId } = request
  const seen = lastEventId === null ? null : cursors.read(lastEventId)
  const journal = userJournal(userId)
  const before = await bus.journal.read(journal, seen ?? 0, { limit: 0 })
  const resumed = seen !== null && !before.reset
  const after = resumed ? seen : before.tail
  const first = lastEventId === null || resumed ? moved : reset
  const streams = await liveStreams(store, request)
  // A run that was found is in the journal up to this tail; a run that is in neither comes after it.
  const { tail } = await bus.journal.read(journal, after, { limit: 0 })
  return { tail, after, streams, opening: retry(limits) + first(cursors.write(after)) }
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
