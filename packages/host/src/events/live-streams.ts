import { each, type Store } from '@svc/state'
import { runs } from '../catalog/run-row.ts'
import { type Follow, followKey } from './item.ts'
import type { StreamPlace } from './query.ts'
import type { EventsRequest } from './streams.ts'

/**
 * The streams that a page follows from its beginning: every run of its windows whose frames are not all there, and
 * the streams it names, from where it names them. A stream of another user is like one that never was.
 */
export async function liveStreams(
  store: Store,
  { userId, windows, streams }: EventsRequest,
): Promise<Follow[]> {
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
