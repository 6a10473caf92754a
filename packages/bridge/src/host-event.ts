import type { EventType, WindowEvent } from '@svc/contract/client'
import type { StreamPlace } from './stream-places.ts'

/** What an event is routed by. */
export type EventHead =
  | {
      readonly type: Exclude<EventType, 'rpc.stream'>
      /** `null`: a job that is told for the page itself. */
      readonly window_uuid: string | null
    }
  | ({ readonly type: 'rpc.stream' } & StreamPlace)

/** An event of the host on its way through the page: its text is parsed only for who listens. */
export interface HostEvent {
  readonly head: EventHead
  readonly text: string
  /** Returns the event, which is parsed once, as one of the type of its head. Throws where it is not JSON. */
  read<Type extends EventType>(): WindowEvent<Type>
}

const HEAD =
  /^\{"type":"([^"\\]+)","window_uuid":(?:"([^"\\]+)"|null),(?:"stream_id":"([^"\\]+)","seq":(\d+),)?/

/**
 * Reads what an event is routed by: its first fields, and of a frame also the last one. A text in which they do not
 * come so is parsed. Throws where that is not JSON.
 */
export function readHostEvent(text: string): HostEvent {
  let event: unknown
  const read = <Type extends EventType>() => {
    event ??= JSON.parse(text)
    return event as WindowEvent<Type>
  }
  const [, type, window_uuid = null, stream_id, seq] = HEAD.exec(text) ?? []
  const isWhole = type && (seq || type !== 'rpc.stream')
  const done = text.endsWith(',"done":true}')
  const head = isWhole ? { type, window_uuid, stream_id, seq: Number(seq), done } : read()
  return { head: head as EventHead, text, read }
}
