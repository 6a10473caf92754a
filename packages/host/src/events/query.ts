import { idKinds, type Limits, wrongArg } from '@svc/contract'

/** What a page asks of its event stream. */
export interface EventsQuery {
  /** The windows whose events it wants. */
  readonly windows: readonly string[]
  /** Whether it also wants the `tool_job` events that belong to no window. */
  readonly jobs: boolean
  /** Whether it wants the stream in short pieces, because something on the way holds it back to its end. */
  readonly poll?: boolean
  /** Where it wants to continue: the cursor that it saw last; `null` begins with what comes from now on. */
  readonly lastEventId: string | null
  /** Where it wants to continue with streams that it has received frames of. */
  readonly streams: readonly StreamPlace[]
}

/** How far a page has received a stream. */
export interface StreamPlace {
  readonly streamId: string
  readonly after: number
  /** The window that gets it; `null`: the one that asked for the run. */
  readonly windowUuid: string | null
}

const PLACE = /^(strm_\w{1,64}):(\d{1,15})(?::([\w-]{36}))?$/

/** Reads `strm_x:17`, or `strm_x:17:<window>` of a stream that another window than its own hears. */
function readPlace(text: string): StreamPlace[] {
  const [, streamId, after, windowUuid = null] = PLACE.exec(text) ?? []
  return streamId === undefined ? [] : [{ streamId, after: Number(after), windowUuid }]
}

/**
 * Reads the query `?windows=a,b&after=x&streams=strm_x:17&jobs=1&poll=1` and the header `Last-Event-ID`, which is newer than
 * `after`, where something on the way does not drop it. Texts that can be no window
 * or place are left out: they look like windows and streams that are not there. Errors: `invalid_arg`.
 */
export function readEventsQuery(
  url: URL,
  lastEventId: string | null | undefined,
  limits: Limits,
): EventsQuery {
  const list = (name: string, most: number) => {
    const asked = new Set(url.searchParams.get(name)?.split(',').filter(Boolean))
    if (asked.size <= most) return [...asked]
    throw wrongArg(name, `must have at most ${most} items, got ${asked.size}`)
  }
  const windows = list('windows', limits.EVENT_WINDOWS_MAX)
  const streams = list('streams', limits.EVENT_STREAMS_MAX)
  const isSet = (name: string) => {
    const value = url.searchParams.get(name) ?? '0'
    if (value === '0' || value === '1') return value === '1'
    throw wrongArg(name, `must be 0 or 1, got ${JSON.stringify(value.slice(0, 60))}`)
  }
  return {
    windows: windows.filter((id) => idKinds.window.pattern.test(id)),
    jobs: isSet('jobs'),
    poll: isSet('poll'),
    lastEventId: lastEventId || url.searchParams.get('after') || null,
    streams: streams.flatMap(readPlace),
  }
}
