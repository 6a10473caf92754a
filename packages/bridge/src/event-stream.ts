import {
  EVENT_CURSOR_MS,
  EVENT_FIRST_MAX_MS,
  EVENT_FIRST_MS,
  EVENT_POLL_GAP_MS,
  EVENT_POLLING_MS,
  EVENT_RETRY_MAX_MS,
  EVENT_RETRY_MS,
  EVENT_SILENT_MS,
} from '@svc/contract/browser'
import { isOf } from './bridge-error.ts'
import { pause, setDeadline } from './deadline.ts'
import type { EventStream, EventStreamParts } from './event-stream-parts.ts'
import { createHeard } from './heard.ts'
import { eachLine } from './lines.ts'
import { retryMs } from './retry.ts'
import { createSseReader } from './sse.ts'
import { createStreamPlaces } from './stream-places.ts'

/**
 * Reads the host's events (docs/decisions/0020-one-event-stream.md): one stream for all windows of the page, resumed with
 * the last event id, reconnected when the set of windows changes, from the oldest place noted; what was heard is not told
 * again. It keeps trying while the host is away, 1 s to 10 s between tries, and ends without windows only when it has told
 * that the host is back. One that opens and says nothing, held back on the way, is asked for in short pieces.
 */
export function createEventStream(parts: EventStreamParts): EventStream {
  const { clock, random } = parts
  const jobs = parts.jobs ? '&jobs=1' : ''
  let windows: readonly string[] = []
  let lastId: string | undefined
  let baseMs = EVENT_RETRY_MS
  let state = 'followed'
  let planned = false
  let moves = false
  let closed = false
  /** Until when it is asked for in short pieces. */
  let pollsUntilMs = 0
  let current: AbortController | undefined
  /** The oldest first; without an id while no place in the stream is known. */
  const notes = new Set<{ id: string | undefined }>()
  const places = createStreamPlaces()
  /** The first of the short pieces has offered the call socket: the others need not. */
  let isOffered = false
  const heard = createHeard()
  /** Aborts when the first place is known, or the stream fails before. */
  let placed = new AbortController()

  /** Whether nobody wants the stream. */
  const isIdle = () => windows.length + notes.size === 0

  const reader = () =>
    createSseReader({
      event(name, data, id) {
        if (name === 'calls' && !isOffered) parts.onCalls()
        if (name === 'calls') isOffered = polls()
        if (name === 'stream') places.note(JSON.parse(data))
        if (name === 'reset') {
          heard.clear()
          // The host tells the places of those that it goes on with.
          places.clear()
          parts.onReset()
        }
        if (name !== 'message' || heard.has(id ?? '')) return
        if (id) heard.add(id)
        parts.onEvent(data)
      },
      id(id) {
        const late = lastId === undefined && windows.length > 0
        lastId = id
        for (const note of notes) note.id ??= id
        placed.abort()
        // Windows opened while no place was known: what they missed nobody can tell.
        if (late) parts.onReset()
        move()
      },
      retry: (ms) => {
        baseMs = Math.min(Math.max(ms, 1), EVENT_RETRY_MAX_MS)
      },
    })

  /** One connection from its opening to its end; returns how long to wait for the next one, and nothing where it failed. */
  async function read(signal: AbortSignal, failures: number): Promise<number | undefined> {
    const silence = setDeadline(clock, Math.min(EVENT_FIRST_MAX_MS, EVENT_FIRST_MS * 2 ** failures), signal)
    let [answered, opened, cut] = [false, false, false]
    try {
      const after = lastId === undefined ? '' : `&after=${encodeURIComponent(lastId)}`
      const query = `windows=${windows.join()}${after}${places.query && `&streams=${places.query}`}${jobs}${polls() ? '&poll=1' : ''}`
      const response = await parts.open(`${parts.url}?${query}`, {
        credentials: 'include',
        cache: 'no-store',
        redirect: 'manual',
        headers: { accept: 'text/event-stream', ...(lastId !== undefined && { 'last-event-id': lastId }) },
        signal: silence.signal,
      })
      if (signal.aborted) return
      const { ok, status } = response
      if (!ok || !isOf(response, 'text/event-stream')) {
        response.body?.cancel().catch(() => undefined)
        if (status >= 500) lose(false)
        else if (status === 401 || isOf(response, 'application/json'))
          become(`refused ${status}`, () => parts.onRefused(status))
        else become('foreign', () => parts.onForeign(response))
        return
      }
      answered = true
      const take = reader()
      await eachLine(response.body, (line) => {
        if (signal.aborted) return
        silence.renew(EVENT_SILENT_MS)
        if (!opened) become('followed', parts.onBack)
        if (!opened && isIdle()) plan()
        opened = true
        take(line)
      })
    } catch {
      cut = answered && !silence.signal.aborted
    } finally {
      silence.end()
      if (!signal.aborted) placed.abort()
    }
    if (signal.aborted) return
    // Firefox has no answer before its first byte. What falls silent later is dead, or waits for a buffer to be full.
    if (silence.signal.aborted || (answered && !opened && !cut)) pollsUntilMs = clock.now() + EVENT_POLLING_MS
    if (opened && silence.signal.aborted) return 0
    if (opened) return polls() ? EVENT_POLL_GAP_MS : retryMs(baseMs, 0, random)
    // A network that breaks as an answer begins is asked once more.
    if (!cut || failures > 0) lose(answered && !cut)
  }

  const polls = () => clock.now() < pollsUntilMs

  const lose = (isSilent: boolean) => become('lost', () => parts.onLost(isSilent))

  /** Tells a change of state, once. */
  function become(now: string, tell: () => void): void {
    if (state === now) return
    state = now
    tell()
  }

  async function run(signal: AbortSignal): Promise<void> {
    let failures = 0
    while (!signal.aborted) {
      const ms = await read(signal, failures)
      await pause(clock, ms ?? retryMs(baseMs, failures, random), signal)
      failures = ms === undefined ? failures + 1 : 0
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

  function move(): void {
    if (moves && current && lastId !== undefined) plan()
    moves &&= lastId === undefined
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
    move(stands) {
      moves = true
      if (stands) pollsUntilMs = 0
      move()
    },
    ask(ifAway = false) {
      if (!current || (ifAway && state === 'followed')) return
      pollsUntilMs = 0
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
