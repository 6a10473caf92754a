import type { Limits } from '@svc/contract'
import type { Logger } from 'pino'
import type { Bus } from '../bus/port.ts'
import type { Clock } from '../clock.ts'
import type { Metrics } from '../metrics.ts'
import { type Channel, openChannel } from './channel.ts'
import { cursorsOf } from './cursors.ts'
import { userJournal } from './emit.ts'
import { filterOf } from './filter.ts'
import type { EventsQuery } from './query.ts'
import { openReader, type Reader } from './reader.ts'
import type { Sink, Source } from './sink.ts'
import { moved, reset, retry } from './sse.ts'

/** A page's wish, and whose page it is. */
export interface EventsRequest extends EventsQuery {
  readonly userId: string
}

/** The open event streams of this host (design §7). */
export interface EventStreams {
  /** Opens a stream into `sink`; it lives until its reader goes, stalls, or the host closes. */
  open(request: EventsRequest, sink: Sink): Source
  /** Ends every stream; later ones end at once. Twice is harmless. */
  close(): void
}

/** What event streams need. */
export interface EventStreamsDeps {
  readonly bus: Bus
  readonly clock: Clock
  readonly limits: Limits
  readonly log: Logger
  readonly metrics: Pick<Metrics, 'readers'>
}

/** Opens the room where pages read their events. */
export function openEventStreams({ bus, clock, limits, log, metrics }: EventStreamsDeps): EventStreams {
  const channels = new Map<string, Channel>()
  const open = new Set<() => void>()
  let closed = false
  const journals = bus.journal

  function channelOf(userId: string, after: number): Channel {
    const known = channels.get(userId)
    if (known) return known
    const name = userJournal(userId)
    const cursors = cursorsOf(bus.epoch, userId)
    const onOver = () => {
      if (channels.get(userId) === channel) channels.delete(userId)
    }
    const channel = openChannel({ journals, name, cursors, after, limits, log, onOver })
    channels.set(userId, channel)
    return channel
  }

  /** Where a page goes on: at its cursor when all behind it still stands, else at the end of the journal. */
  async function placeOf({ userId, lastEventId }: EventsRequest) {
    const cursors = cursorsOf(bus.epoch, userId)
    const seen = lastEventId === null ? null : cursors.read(lastEventId)
    const { tail, reset: lost } = await journals.read(userJournal(userId), seen ?? 0, { limit: 0 })
    const resumed = seen !== null && !lost
    const after = resumed ? seen : tail
    const first = lastEventId === null || resumed ? moved : reset
    return { tail, after, opening: retry(limits) + first(cursors.write(after)) }
  }

  return {
    open(request, sink) {
      let reader: Reader | null = null
      let over = false
      const finish = () => {
        if (over) return
        over = true
        open.delete(end)
        metrics.readers(-1)
      }
      const end = () => {
        if (reader) return reader.end()
        if (!over) sink.end()
        finish()
      }
      metrics.readers(1)
      open.add(end)
      if (closed) end()
      else
        placeOf(request).then(
          ({ tail, after, opening }) => {
            if (over) return
            const channel = channelOf(request.userId, tail)
            const filter = filterOf(request)
            const onOver = finish
            reader = openReader({
              journals,
              clock,
              limits,
              log,
              channel,
              filter,
              sink,
              after,
              opening,
              onOver,
            })
          },
          (err: unknown) => {
            log.warn({ err }, 'an event stream could not be opened')
            end()
          },
        )
      return {
        drained: () => reader?.drained(),
        gone: () => (reader ? reader.gone() : finish()),
      }
    },
    close() {
      closed = true
      for (const end of open) end()
    },
  }
}
