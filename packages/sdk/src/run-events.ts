import type { ChunkDelta, Frame } from '@svc/contract/client'
import type { HostRpcError } from './errors.ts'
import { deltaOf, type News, type RunEnd } from './run-end.ts'

/** The events of a run, and what their listeners get. */
export interface RunEvents {
  /** A piece of the text. */
  text: (piece: string) => void
  /** A tool that the model calls; its arguments are JSON text. */
  tool_call: (call: NonNullable<ChunkDelta['tool_calls']>[number]) => void
  /** How such a call ended. */
  tool_result: (result: NonNullable<ChunkDelta['tool_result']>) => void
  /** Any frame. */
  frame: (frame: Frame) => void
  /** Why the run failed; `end` follows. */
  error: (error: HostRpcError) => void
  /** The run is over: it finished, failed or was cancelled. Comes once, last. What an app kept of it may go. */
  end: (end: RunEnd) => void
  /**
   * The rest of its frames cannot be read here, and how the run ends is not known. Comes once, last, in place of `end`.
   * By its code: `bridge_reset`, the document goes away, and the next one attaches; `stream_gap`, attach again;
   * `not_found`, the frames are gone, and the history tells; else what the host refuses with.
   */
  lost: (error: HostRpcError) => void
}

const delta = (news: News) => ('event' in news ? deltaOf(news) : {})
const some = <Item>(item: Item | undefined): Item[] => (item === undefined ? [] : [item])

/** What each kind of listener gets of an event. */
export const picks: {
  readonly [Type in keyof RunEvents]: (news: News) => readonly Parameters<RunEvents[Type]>[0][]
} = {
  text: (news) => some(delta(news).content || undefined),
  tool_call: (news) => delta(news).tool_calls ?? [],
  tool_result: (news) => some(delta(news).tool_result),
  frame: (news) => ('event' in news ? [news] : []),
  error: (news) => ('end' in news ? some(news.end.error) : []),
  end: (news) => ('end' in news ? [news.end] : []),
  lost: (news) => ('lost' in news ? [news.lost] : []),
}
