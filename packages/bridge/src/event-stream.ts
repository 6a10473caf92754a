import {
  EVENT_CURSOR_MS,
  EVENT_RETRY_MAX_MS,
  EVENT_RETRY_MS,
  EVENT_SILENT_MS,
  JOURNAL_KEPT_EVENTS,
} from '@svc/contract/browser'
import type { Clock } from './clock.ts'
import { pause, setDeadline } from './deadline.ts'
import { eachLine } from './lines.ts'
import { retryMs } from './retry.ts'
import { createSseReader } from './sse.ts'
import { createStreamPlaces, type StreamPlace } from './stream-places.ts'

/** What the event stream needs, and whom it tells. */
export interface EventStreamParts {
  readonly url: string
  /** Whether the stream also tells all `tool_job` events of the user. */
  readonly jobs: boolean
  readonly fetch: typeof fetch
  readonly clock: Clock
  /** A number in [0, 1). */
  readonly random: () => number
  /** The text of one event, flat JSON. */
  readonly onEvent: (text: string) => void
  /** Calls may come over a socket: what serves the stream takes upgrades. */
  readonly onCalls: () => void
  /** The host no longer knows our place: events were lost. */
  readonly onReset: () => void
  /** The host does not answer; it is tried again until it does. */
  readonly onLost: () => void
  /** The stream stands again, after a loss or a refusal. */
  readonly onBack: () => void
  /** It answers, but not with a stream: the sign-in or a window may be gone. */
  readonly onRefused: (status: number) => void
}

/** The one event stream of a page. */
export interface EventStream {
  /**
   * Notes the place in the stream for a window that is about to open: once it is watched, its events are told
   * from here. Returns, when the place is known, how to let go of the note: at once after `watch`, or when the
   * window did not open.
   */
  hold(): Promise<() => void>
  /** Follows these windows, and no others; the place in the stream is kept. */
  watch(windowUuids: readonly string[]): void
  /** Notes a frame that was told: the next connection goes on behind it. */
  passed(frame: StreamPlace): void
  close(): void
}

/**
 * Reads the host's events by fetch (docs/decisions/0020-one-event-stream.md): one stream for all windows of the page,
 * resumed with the last event id, reconnected when the set of windows changes, from the oldest place noted; what was
 * heard already is not told again. It keeps trying while the host is away, 1 s to 10 s between tries, and ends without
 * windows only when it has told that the host is back.
 */
export function createEventStream(parts: EventStreamParts): EventStream {
  const { clock, fetch, random } = parts
  let windows: readonly string[] = []
  let lastId: string | undefined
  let baseMs = EVENT_RETRY_MS
  let state = 'followed'
  let planned = false
  let closed = false
  let current: AbortController | undefined
  /** The oldest first; without an id while no place in the stream is known. */
  const notes = new Set<{ id: string | undefined }>()
  const places = createStreamPlaces()
  /** Cursors of the events that were told, no more than a journal can tell again. */
  const heard = new Set<string>()
  /** Aborts when the first place is known, or the stream fails before. */
  let placed = new AbortController()

  /** Whether nobody wants the stream. */
  const isIdle = () => windows.length + notes.size === 0

  const reader = () =>
    createSseReader({
      event(name, data, id) {
        if (name === 'calls') parts.onCalls()
        if (name === 'stream') places.note(JSON.parse(data))
        if (name === 'reset') {
          heard.clear()
          // The host tells the places of those that it goes on with.
          places.clear()
          parts.onReset()
        }
        if (name !== 'message' || heard.has(id ?? '')) return
        if (id) heard.add(id)
        const [oldest = ''] = heard
        if (heard.size > JOURNAL_KEPT_EVENTS) heard.delete(oldest)
        parts.onEvent(data)
      },
      id(id) {
        const late = lastId === undefined && windows.length > 0
        lastId = id
        for (const note of notes) note.id ??= id
        placed.abort()
        // Windows opened while no place was known: what they missed nobody can tell.
        if (late) parts.onReset()
      },
      retry: (ms) => {
        baseMs = Math.min(Math.max(ms, 1), EVENT_RETRY_MAX_MS)
      },
    })

  /** One connection from its opening to its end; tells whether it opened. */
  async function read(signal: AbortSignal): Promise<boolean> {
    const silence = setDeadline(clock, EVENT_SILENT_MS, signal)
    let opened = false
    try {
      const query = `windows=${windows.join()}${places.query && `&streams=${places.query}`}${parts.jobs ? '&jobs=1' : ''}`
      const response = await fetch(`${parts.url}?${query}`, {
        credentials: 'include',
        cache: 'no-store',
        headers: { accept: 'text/event-stream', ...(lastId !== undefined && { 'last-event-id': lastId }) },
        signal: silence.signal,
      })
      if (signal.aborted) return false
      const { ok, status, body } = response
      if (!ok) {
        body?.cancel().catch(() => undefined)
        if (status < 500) become(`refused ${status}`, () => parts.onRefused(status))
        else become('lost', parts.onLost)
        return false
      }
      opened = true
      become('followed', parts.onBack)
      if (isIdle()) plan()
      const take = reader()
      await eachLine(body, (line) => {
        if (signal.aborted) return
        silence.renew()
        take(line)
      })
    } catch {
      if (!signal.aborted && !opened) become('lost', parts.onLost)
    } finally {
      silence.end()
      if (!signal.aborted) placed.abort()
    }
    return opened
  }

  /** Tells a change of state, once. */
  function become(now: string, tell: () => void): void {
    if (state === now) return
    state = now
    tell()
  }

  async function run(signal: AbortSignal): Promise<void> {
    let failures = 0
    while (!signal.aborted) {
      failures = (await read(signal)) ? 0 : failures + 1
      await pause(clock, retryMs(baseMs, Math.max(0, failures - 1), random), signal)
    }
  }

  function restart(): void {
    planned = false
    current?.abort()
    current = undefined
    const [oldest] = notes
    lastId = oldest?.id ?? lastId
    places.keep(windows)
    if (isIdle()) {
      lastId = undefined
      placed = new AbortController()
      // A page that was told of a loss is told of the return, whatever windows it has left.
      if (closed || state === 'followed') return
    }
    current = new AbortController()
    void run(current.signal)
  }

  function plan(): void {
    if (planned) return
    planned = true
    queueMicrotask(restart)
  }

  return {
    async hold() {
      const note = { id: lastId }
      notes.add(note)
      if (lastId === undefined) {
        if (!current) plan()
        await pause(clock, EVENT_CURSOR_MS, placed.signal)
      }
      return () =>
        // A restart that is planned comes before, and begins from the note.
        queueMicrotask(() => {
          notes.delete(note)
          if (isIdle()) plan()
        })
    },
    watch(uuids) {
      if (uuids.join() === windows.join()) return
      windows = uuids
      plan()
    },
    passed: places.note,
    close() {
      closed = true
      windows = []
      notes.clear()
      placed.abort()
      restart()
    },
  }
}
