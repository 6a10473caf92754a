import type { EventPayloads, EventType } from '@svc/contract'

/** What a filter needs to know of an event. */
export interface EventHeader {
  readonly type: string
  readonly windowUuid: string | null
}

/** Has the pages that show a window follow the frames of a run. */
export interface Follow {
  readonly windowUuid: string
  readonly streamId: string
  /**
   * The seq after which to continue, for a replay; `null`: the run begins, and whoever follows it already continues.
   */
  readonly after: number | null
}

/** The same for two that mean one stream in one window. */
export const followKey = ({ windowUuid, streamId }: Follow): string => `${windowUuid} ${streamId}`

/** Is in a journal where events had to be dropped: whoever reads over it gets a `reset`. */
export const LOST = '{"type":"lost","window_uuid":null}'

/**
 * An event as it is in a journal and travels: flat JSON, its heading first. The heading holds names of ours alone, so
 * it is written as it is: that halves the cost.
 */
export const itemOf = <Type extends EventType>(
  type: Type,
  windowUuid: string | null,
  payload: EventPayloads[Type],
): string => headed(type, windowUuid, JSON.stringify(payload))

/** The same for each of several windows; what they share is written once. */
export function itemsOf<Type extends EventType>(
  type: Type,
  windowUuids: readonly (string | null)[],
  payload: EventPayloads[Type],
): string[] {
  const json = JSON.stringify(payload)
  return windowUuids.map((windowUuid) => headed(type, windowUuid, json))
}

function headed(type: EventType, windowUuid: string | null, json: string): string {
  const heading = `{"type":"${type}","window_uuid":${windowUuid === null ? 'null' : `"${windowUuid}"`}`
  return json === '{}' ? `${heading}}` : `${heading},${json.slice(1)}`
}

const FOLLOW = 'rpc.follow'
const FOLLOWS = `{"type":"${FOLLOW}"`

/** A `Follow` as it is in a journal; it is never sent itself. */
export const followItem = ({ windowUuid, streamId, after }: Follow): string =>
  JSON.stringify({ type: FOLLOW, window_uuid: windowUuid, stream_id: streamId, after })

/** Reads one; `null` when the item is an event. */
export function followOf(item: string): Follow | null {
  if (!item.startsWith(FOLLOWS)) return null
  const { window_uuid, stream_id, after } = JSON.parse(item)
  return { windowUuid: window_uuid, streamId: stream_id, after }
}

const HEADING = /^\{"type":"([^"\\]*)","window_uuid":(?:"([^"\\]*)"|null)/

/**
 * Reads the heading of an item without parsing what follows it: a chat card may hold 64 KiB. `text` is its text: an
 * item that begins with it has the same heading.
 */
export function eventHeaderOf(item: string): (EventHeader & { readonly text: string }) | null {
  const found = HEADING.exec(item)
  return found ? { type: found[1] ?? '', windowUuid: found[2] ?? null, text: found[0] } : null
}
