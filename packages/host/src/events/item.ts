import type { EventPayloads, EventType } from '@svc/contract'

/** What a filter needs to know of an event. */
export interface Heading {
  readonly type: string
  readonly windowUuid: string | null
}

/** Stands in a journal where events had to be dropped: whoever reads over it gets a `reset`. */
export const LOST = '{"type":"lost","window_uuid":null}'

/** An event as it stands in a journal and travels: flat JSON, its heading first (design §9). */
export function itemOf<Type extends EventType>(
  type: Type,
  windowUuid: string | null,
  payload: EventPayloads[Type],
): string {
  return JSON.stringify({ type, window_uuid: windowUuid, ...payload })
}

/** Stands in a journal where a page is to follow the frames of a run after a seq. */
export const FOLLOW = 'rpc.follow'

/** Writes one. */
export const followItem = (windowUuid: string, streamId: string, after: number): string =>
  JSON.stringify({ type: FOLLOW, window_uuid: windowUuid, stream_id: streamId, after })

const HEADING = /^\{"type":"([^"\\]*)","window_uuid":(?:"([^"\\]*)"|null)/

/** Reads the heading of an item without parsing what follows it: a chat card may hold 64 KiB. */
export function headingOf(item: string): Heading | null {
  const found = HEADING.exec(item)
  return found ? { type: found[1] ?? '', windowUuid: found[2] ?? null } : null
}
