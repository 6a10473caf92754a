import { limits as defaults, type Limits } from '@svc/contract'
import { frozenClock } from '@svc/node/testing'
import type { Bus } from '@svc/state'
import { memoryBus, memoryStore } from '@svc/state'
import { type Logger, pino } from 'pino'
import { type EventsRequest, openEventStreams } from '../events/event-streams.ts'
import { openEvents } from '../events/events.ts'
import type { StreamPlace } from '../events/query.ts'
import { openHosts } from '../kernel/hosts.ts'

/** Window ids that look alike but for their last digit. */
export const windowId = (n: number) => `00000000-0000-4000-8000-${n.toString(16).padStart(12, '0')}`

/** A log that nobody reads. */
export const silent: Logger = pino({ level: 'silent' })

/** Lets what was emitted reach every page: the append, the gathering, the reads. */
export async function settle(turns = 24): Promise<void> {
  for (let turn = 0; turn < turns; turn += 1) await new Promise((done) => setImmediate(done))
}

/** Everything that sends events to pages, in memory and on a clock that stands still. */
export function eventBed(changes: Partial<Limits> = {}, wrap: (bus: Bus) => Bus = (bus) => bus) {
  const clock = frozenClock()
  const limits: Limits = { ...defaults, ...changes }
  const bus = wrap(memoryBus({ clock }))
  const open = { readers: 0 }
  const metrics = {
    readers(change: number) {
      open.readers += change
    },
  }
  const store = memoryStore()
  const hosts = openHosts({ store, clock, limits, log: silent, newId: () => 'host_1' })
  const deps = { bus, store, clock, limits, log: silent, metrics, hosts }
  const events = openEvents(deps)
  const streams = openEventStreams(deps)
  let revision = 0
  const title = (userId: string, window: string, text: string) =>
    events.emit(userId, 'title_changed', window, { revision: ++revision, title: text })
  return { clock, limits, bus, store, open, events, streams, title, deps }
}

/** One connection of a page: bytes wait in it until the page takes them. */
export interface Connection {
  /** What the host wrote, write by write. */
  readonly writes: string[]
  readonly waiting: number
  readonly state: 'open' | 'ended' | 'destroyed'
  /** Takes up to so many bytes from now on as they come, and all that wait. */
  take(bytes?: number): void
  /** Breaks the connection: what the page has not taken is lost. */
  cut(): void
}

/** A frame as a page hears it. */
export interface HeardFrame {
  readonly window_uuid: string
  readonly stream_id: string
  readonly seq: number
  readonly payload: { readonly event: string; readonly text?: string }
  readonly done: boolean
}

/** A page as a browser would keep it: what it heard, the cursor that it saw last, and its place in each stream. */
export function page(bed: Pick<ReturnType<typeof eventBed>, 'streams'>, userId: string) {
  const heard = {
    titles: [] as string[],
    frames: [] as HeardFrame[],
    /** Frames that do not follow the page's place in their stream. */
    strays: [] as HeardFrame[],
    blocks: [] as string[],
    resets: 0,
    cursor: null as string | null,
  }
  const places = new Map<string, StreamPlace>()

  const keyOf = ({ window_uuid, stream_id }: HeardFrame) => `${window_uuid} ${stream_id}`

  function stand(frame: HeardFrame) {
    const { window_uuid, stream_id, seq, done } = frame
    const key = keyOf(frame)
    if (done) places.delete(key)
    else places.set(key, { windowUuid: window_uuid, streamId: stream_id, after: seq })
  }
  function hear(block: string) {
    heard.blocks.push(block)
    const fields = new Map(block.split('\n').map((line) => line.split(/: ?(.*)/s, 2) as [string, string]))
    heard.cursor = fields.get('id') ?? heard.cursor
    const data = fields.has('data') ? JSON.parse(fields.get('data') ?? '') : null
    const event = fields.get('event')
    if (event === 'reset') heard.resets += 1
    if (event === 'stream') stand(data)
    if (event !== undefined || data === null) return
    if (data.type === 'rpc.stream') {
      if (data.seq !== Number(places.get(keyOf(data))?.after) + 1) heard.strays.push(data)
      stand(data)
      heard.frames.push(data)
    } else heard.titles.push(data.title)
  }

  function connect(query: Partial<EventsRequest> & { reads?: boolean; highWater?: number }): Connection {
    const { reads = true, highWater = 100 } = query
    let isFull = false
    const writes: string[] = []
    let state: Connection['state'] = 'open'
    let held = Buffer.alloc(0)
    let text = ''
    let may = reads ? Number.POSITIVE_INFINITY : 0
    const flow = () => {
      const taken = held.subarray(0, may)
      held = held.subarray(taken.length)
      may -= taken.length
      const blocks = (text + taken.toString('latin1')).split('\n\n')
      text = blocks.pop() ?? ''
      for (const block of blocks) hear(Buffer.from(block, 'latin1').toString())
    }
    const connection = {
      write(bytes: Uint8Array) {
        writes.push(Buffer.from(bytes).toString())
        held = Buffer.concat([held, bytes])
        flow()
        isFull = held.length >= highWater
        return !isFull
      },
      get waiting() {
        return held.length
      },
      end() {
        state = 'ended'
      },
      destroy() {
        state = 'destroyed'
      },
    }
    const request = {
      userId,
      windows: [],
      jobs: false,
      lastEventId: heard.cursor,
      streams: [...places.values()],
      ...query,
    }
    const stream = bed.streams.open(request, connection)
    return {
      writes,
      get waiting() {
        return held.length
      },
      get state() {
        return state
      },
      take(bytes = Number.POSITIVE_INFINITY) {
        may += bytes
        flow()
        if (!isFull || held.length > 0) return
        isFull = false
        stream.onDrain()
      },
      cut() {
        stream.onClose()
      },
    }
  }
  return { heard, connect }
}
