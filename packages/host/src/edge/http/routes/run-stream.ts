import type { Frame, TokenUsage } from '@svc/contract'
import { streamResponse } from '../../../events/stream-response.ts'
import { type Connection, type ConnectionEvents, openStreamWriter } from '../../../events/stream-writer.ts'
import type { RunFrame, StreamIds } from '../../../work/runs/runs.ts'
import type { Services } from '../../services.ts'

/** What a stream of frames is given besides its run. */
interface StreamOptions {
  /** The seq that its reader has. */
  readonly after: number
  /** Aborts when the host closes. */
  readonly leaving: AbortSignal
  /** Cuts the connection of a reader that takes nothing; without one the stream fails. */
  readonly cut: (() => void) | undefined
  /** Called once when it is over, however it ended; not where it could not begin. */
  readonly onOver: () => void
}

/** How a run ended, as `complete` says it. */
interface Ends {
  aborted: boolean
  usage?: TokenUsage
}

/**
 * Responds with the frames of a run as server-sent events: payloads as unnamed messages whose `id:` is their seq, `end`
 * included, then the event `complete`. Frames up to `after` are left out. The run does not end with its reader: frames
 * are read from its journal, only as fast as they are taken, and a reader that takes nothing for `READER_STALLED_MS` is
 * cut. Errors: `not_found`, where the frames are gone.
 */
export async function runStream(
  { clock, limits, runs }: Services,
  { stream_id, run_id }: StreamIds,
  { after, leaving, cut, onOver }: StreamOptions,
): Promise<Response> {
  const over = new AbortController()
  const frames = runs.frames(stream_id, 0, AbortSignal.any([over.signal, leaving]))[Symbol.asyncIterator]()
  // The first frame is written when the run is accepted: what is wrong with the stream is reported before it begins.
  let first: IteratorResult<RunFrame> | null = await frames.next()
  const ends: Ends = { aborted: false }

  function open(connection: Connection): ConnectionEvents {
    const writer = openStreamWriter({
      clock,
      limits,
      connection,
      schedule: (one) => one.flush(),
      onStalled: () => finish(() => writer.destroy()),
    })
    let isWriting = false

    function finish(close: () => void): void {
      if (over.signal.aborted) return
      over.abort()
      void frames.return?.().catch(() => undefined)
      close()
      onOver()
    }

    /** Writes frames until the reader has enough. */
    async function write(): Promise<void> {
      if (isWriting) return
      isWriting = true
      try {
        while (!writer.full) {
          const { done, value } = first ?? (await frames.next())
          first = null
          if (over.signal.aborted) return
          if (done) return finish(() => writer.end())
          const text = textOf(value)
          if (text !== '') writer.write(Buffer.from(text))
        }
      } catch (error) {
        finish(() => writer.destroy(error))
      } finally {
        isWriting = false
      }
    }

    void write()
    return {
      onDrain() {
        writer.onDrain()
        void write()
      },
      onClose: () => finish(() => writer.detach()),
    }
  }

  function textOf({ seq, payload, done }: RunFrame): string {
    note(ends, payload)
    const message = seq > after ? `id: ${seq}\ndata: ${payload}\n\n` : ''
    return done ? `${message}event: complete\ndata: ${JSON.stringify({ run_id, ...ends })}\n\n` : message
  }

  return streamResponse(open, { ...(cut && { cut }) })
}

/** Notes what a frame says of the end of its run. Most frames carry text, which is not parsed for it. */
function note(ends: Ends, payload: string): void {
  if (!payload.includes('"task_')) return
  const frame: Frame = JSON.parse(payload)
  const delta = frame.event === 'sse' ? frame.data.choices[0]?.delta : undefined
  if (delta?.task_cancelled) ends.aborted = true
  if (delta?.task_complete) ends.usage = delta.task_complete.token_usage
}
