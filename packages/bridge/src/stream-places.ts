import { EVENT_STREAMS_MAX } from '@svc/contract/browser'

/** How far a window heard the frames of a stream. */
export interface StreamPlace {
  readonly window_uuid: string
  readonly stream_id: string
  readonly seq: number
  readonly done?: boolean
}

/** Where a page goes on with the streams that it has not heard to their end, when it connects again. */
export interface StreamPlaces {
  note(place: StreamPlace): void
  /** Forgets those of all other windows. */
  keep(windowUuids: readonly string[]): void
  clear(): void
  /** As the host is asked for them: `strm_x:17:<window>`, with commas between. */
  readonly query: string
}

/** Makes the places of a page: no more than `EVENT_STREAMS_MAX`, those heard last. */
export function createStreamPlaces(): StreamPlaces {
  const places = new Map<string, string>()
  return {
    note({ window_uuid, stream_id, seq, done }) {
      const key = stream_id + window_uuid
      places.delete(key)
      if (!done) places.set(key, `${stream_id}:${seq}:${window_uuid}`)
      const [oldest = ''] = places.keys()
      if (places.size > EVENT_STREAMS_MAX) places.delete(oldest)
    },
    keep(windowUuids) {
      for (const key of places.keys()) if (!windowUuids.some((uuid) => key.endsWith(uuid))) places.delete(key)
    },
    clear: () => places.clear(),
    get query() {
      return [...places.values()].join()
    },
  }
}
