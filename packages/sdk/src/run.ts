import type { CallOptions, Frame } from '@svc/contract/client'
import { createFeed } from './feed.ts'
import { followStream, type Source, type StreamParts } from './follow-stream.ts'
import { type LastNews, lastNews, type News, type RunEnd } from './run-end.ts'
import { picks, type RunEvents } from './run-events.ts'

/**
 * One turn of a session, or one stream of `llm.stream`. It is read to its end whether anybody listens or not, and its
 * frames are kept as long as the handle is: every reader gets all of them from the beginning, whenever it comes. What
 * that takes is bounded by what the host lets the frames of one run hold, 32 MiB.
 */
export interface Run {
  /** The id of the run: `attach(runId)` reads it again in a later document. */
  readonly runId: string
  /** The stream that its frames come on. */
  readonly streamId: string
  /** The last frame that was read: a later document continues after it with `attach(runId, { afterSeq })`. */
  readonly lastSeq: number
  /**
   * The text, piece by piece, to the end of the run; a cancelled one ends it too, and `final()` tells. Leaving the
   * loop stops reading and leaves the run alone.
   *
   * @throws HostRpcError why the run failed or cannot be read, behind all of its text.
   */
  text(): AsyncIterable<string>
  /**
   * All frames, an `error` frame and `end` included.
   *
   * @throws HostRpcError `stream_gap`, `not_found`, `bridge_reset` … where the rest of them cannot be read.
   */
  frames(): AsyncIterable<Frame>
  /**
   * How the run ended; a cancelled one with `aborted: true` and what it had said.
   *
   * @throws HostRpcError the code of the run's error frame, or, with `details.lost: true`, why its frames cannot be
   *   read: how the run ends is not known then. `details.text` is what it had said.
   */
  final(): Promise<RunEnd>
  /** Cancels the run. `cancelled` says whether it was under way; it stops a little later, as its end tells. */
  cancel(options?: CallOptions): Promise<{
    /** Whether it was still under way. */
    cancelled: boolean
  }>
  /**
   * Subscribes to what the run says, from its beginning; what was read before comes a microtask later. Listeners that are
   * added in one tick hear the run together, frame by frame: a text that came before a tool call is heard before it,
   * whichever of the two was listened to first. One that is added later hears all of it from the beginning by itself.
   * Returns how to unsubscribe. An error that the listener throws is the document's uncaught error.
   */
  on<Type extends keyof RunEvents>(type: Type, listener: RunEvents[Type]): () => void
}

/** Which run a handle is made of. */
export interface RunSource extends Source {
  readonly runId: string
  readonly cancel: Run['cancel']
  /** An abort cancels the run. */
  readonly signal?: AbortSignal | undefined
}

/** Makes the handle and follows its stream. */
export function createRun(parts: StreamParts, source: RunSource): Run {
  const { runId, streamId, afterSeq, cancel, signal } = source
  const feed = createFeed<News>()
  const over = new Promise<LastNews>((resolve) => feed.subscribe((news) => 'event' in news || resolve(news)))
  let lastSeq = afterSeq
  const stop = () => {
    cancel().catch((error) => reportError(error))
  }

  signal?.addEventListener('abort', stop)
  if (signal?.aborted) stop()
  followStream(parts, source, {
    frame({ seq, payload }) {
      lastSeq = seq
      feed.add(payload as unknown as Frame, false)
    },
    over(error) {
      signal?.removeEventListener('abort', stop)
      feed.add(lastNews(runId, feed.items.flatMap(picks.frame), error), true)
    },
  })

  return {
    runId,
    streamId,
    get lastSeq() {
      return lastSeq
    },
    text: () =>
      feed.read((news) => {
        const [error] = [...picks.lost(news), ...picks.error(news)]
        if (error) throw error
        return picks.text(news)
      }),
    frames: () =>
      feed.read((news) => {
        if ('lost' in news) throw news.lost
        return picks.frame(news)
      }),
    async final() {
      const last = await over
      if ('lost' in last) throw last.lost
      if (last.end.error) throw last.end.error
      return last.end
    },
    cancel,
    on: (type, listener) =>
      feed.subscribe((news) => {
        for (const part of picks[type](news)) callListener(listener as (part: unknown) => void, part)
      }),
  }
}

function callListener(listener: (part: unknown) => void, part: unknown): void {
  try {
    listener(part)
  } catch (error) {
    reportError(error)
  }
}
