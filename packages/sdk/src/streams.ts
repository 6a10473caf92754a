import { STREAM_BUFFER_FRAMES, STREAM_EARLY_MAX, STREAM_EARLY_MS } from '@svc/contract/browser'
import type { WindowEvent } from '@svc/contract/client'
import type { Clock } from './clock.ts'
import type { EventHub } from './events.ts'

/** One frame as it travels. */
export type StreamFrame = WindowEvent<'rpc.stream'>

/** Who follows a stream. */
export interface Follower {
  frame(frame: StreamFrame): void
  /** Frames may be lost: the page lost its place in the events, or the channel to it was opened again. */
  lost(): void
}

/** Hands the frames of the document to those who follow their streams. */
export interface Streams {
  /** Follows a stream, and gets at once what came of it before. Returns how to unsubscribe. */
  follow(streamId: string, follower: Follower): () => void
}

interface Early {
  readonly until: number
  readonly frames: StreamFrame[]
}

/**
 * Listens for frames. Those of a stream that nobody follows wait, because they can outrun the answer that names it: the
 * newest 256 of each of 8 streams for 30 s. What is dropped comes again with a replay.
 */
export function createStreams(tap: EventHub['tap'], clock: Clock): Streams {
  const followed = new Map<string, Set<Follower>>()
  const early = new Map<string, Early>()

  /** Forgets what waited too long. The oldest stream is first. */
  function expire(): void {
    for (const [id, { until }] of early) if (clock.now() >= until) early.delete(id)
  }

  function keep(frame: StreamFrame): void {
    const { stream_id: id } = frame
    expire()
    const kept = early.get(id) ?? { until: clock.now() + STREAM_EARLY_MS, frames: [] }
    early.set(id, kept)
    kept.frames.push(frame)
    if (kept.frames.length > STREAM_BUFFER_FRAMES) kept.frames.shift()
    const [oldest] = early.keys()
    if (early.size > STREAM_EARLY_MAX && oldest !== undefined) early.delete(oldest)
  }

  tap((type, payload) => {
    if (type === 'reset') for (const all of followed.values()) for (const one of all) one.lost()
    if (type !== 'rpc.stream') return false
    const frame = payload as StreamFrame
    const followers = followed.get(frame.stream_id)
    if (followers) for (const one of followers) one.frame(frame)
    else keep(frame)
    return followers !== undefined
  })

  return {
    follow(streamId, follower) {
      const followers = followed.get(streamId) ?? new Set()
      followed.set(streamId, followers.add(follower))
      expire()
      const kept = early.get(streamId)?.frames ?? []
      early.delete(streamId)
      for (const frame of kept) follower.frame(frame)
      return () => {
        followers.delete(follower)
        if (followers.size === 0 && followed.get(streamId) === followers) followed.delete(streamId)
      }
    },
  }
}
