import type { Lens } from './portion.ts'
import { frame } from './sse.ts'

/** The journal of a run's frames, as a window gets them. Its mark: the stream is done. */
export function frameLens(windowUuid: string, streamId: string): Lens<'done'> {
  const head = `{"type":"rpc.stream","window_uuid":"${windowUuid}","stream_id":"${streamId}","seq":`
  return {
    key: windowUuid,
    textOf: ({ seq, item }) => frame(`${head}${seq},"payload":${item},"done":${isEnd(item)}}`),
    markOf: ({ item }) => (isEnd(item) ? 'done' : null),
  }
}

/** Whether a frame is the last one of its run. */
export const isEnd = (payload: string): boolean => payload.startsWith('{"event":"end"')
