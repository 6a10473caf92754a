import type { ChunkDelta, Frame } from '@svc/contract'
import type { HostRpcError } from './errors.ts'
import { deltaOf, type RunEnd } from './run-end.ts'

/** What a run tells while it goes on, and what its listeners are given. */
export interface RunEvents {
  /** A piece of the text. */
  text: (piece: string) => void
  /** A tool that the model calls; its arguments are JSON text. */
  tool_call: (call: NonNullable<ChunkDelta['tool_calls']>[number]) => void
  /** How such a call ended. */
  tool_result: (result: NonNullable<ChunkDelta['tool_result']>) => void
  /** Any frame (spec §2.7). */
  frame: (frame: Frame) => void
  /** Why the run failed, or why its frames cannot be read; `end` follows. */
  error: (error: HostRpcError) => void
  /** The run is over, however it ended; told once, last. */
  end: (end: RunEnd) => void
}

/** What is new of a run: a frame, or at last how it ended. */
export type News = Frame | RunEnd

/** Whether it is a frame. */
export const isFrame = (news: News): news is Frame => 'event' in news
const delta = (news: News) => (isFrame(news) ? deltaOf(news) : {})
const some = <Item>(item: Item | undefined): Item[] => (item === undefined ? [] : [item])

/** What each kind of listener hears of some news. */
export const picks: {
  readonly [Type in keyof RunEvents]: (news: News) => readonly Parameters<RunEvents[Type]>[0][]
} = {
  text: (news) => some(delta(news).content || undefined),
  tool_call: (news) => delta(news).tool_calls ?? [],
  tool_result: (news) => some(delta(news).tool_result),
  frame: (news) => (isFrame(news) ? [news] : []),
  error: (news) => (isFrame(news) ? [] : some(news.error)),
  end: (news) => (isFrame(news) ? [] : [news]),
}
