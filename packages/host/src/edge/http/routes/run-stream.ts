import type { Frame, TokenUsage } from '@svc/contract'
import { SSE_HEADERS } from '../../../events/sse.ts'
import type { RunFrame, StreamIds } from '../../../work/runs/runs.ts'
import type { Services } from '../../services.ts'

/** What may wait inside a stream before its reader holds the run's journal back: the run itself never waits. */
const HIGH_WATER_BYTES = 65_536

const encoder = new TextEncoder()

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

/** How a run ended, as `complete` tells it. */
interface Ends {
  aborted: boolean
  usage?: TokenUsage
}

/**
 * Answers with the frames of a run as server-sent events: payloads as unnamed messages whose `id:` is their
 * seq, `end` included, then the event `complete`. Frames up to `after` are left out. The reader's end is no end of the
 * run: frames are read from its journal, only as fast as they are taken, and a reader that takes nothing for
 * `READER_STALLED_MS` is cut. Errors: `not_found`, where the frames are gone.
 */
export async function runStream(
  { clock, limits, runs }: Services,
  { stream_id, run_id }: StreamIds,
  { after, leaving, cut, onOver }: StreamOptions,
): Promise<Response> {
  const over = new AbortController()
  const frames = runs.frames(stream_id, 0, AbortSignal.any([over.signal, leaving]))[Symbol.asyncIterator]()
  // It stands since the run was accepted: what is wrong with the stream is told before it begins.
  let first: IteratorResult<RunFrame> | null = await frames.next()
  const ends: Ends = { aborted: false }
  let stopStall = () => {}

  function leave(): void {
    if (over.signal.aborted) return
    stopStall()
    over.abort()
    void frames.return?.()
    onOver()
  }

  async function pull(controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> {
    stopStall()
    try {
      await write(controller)
    } catch (error) {
      leave()
      throw error
    }
  }

  async function write(controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> {
    for (let text = ''; text === ''; ) {
      const { done, value } = first ?? (await frames.next())
      first = null
      if (over.signal.aborted) return
      if (done) {
        leave()
        return controller.close()
      }
      note(ends, value.payload)
      if (value.seq > after) text = `id: ${value.seq}\ndata: ${value.payload}\n\n`
      if (value.done) text += `event: complete\ndata: ${JSON.stringify({ run_id, ...ends })}\n\n`
      if (text !== '') controller.enqueue(encoder.encode(text))
    }
    if (room(controller) <= 0) watch(controller)
  }

  function watch(controller: ReadableStreamDefaultController<Uint8Array>): void {
    const before = room(controller)
    stopStall = clock.setTimer(() => {
      if (room(controller) > before) return watch(controller)
      leave()
      if (cut) cut()
      else controller.error(new Error('the reader took nothing for too long'))
    }, limits.READER_STALLED_MS)
  }

  const buffer = new ByteLengthQueuingStrategy({ highWaterMark: HIGH_WATER_BYTES })
  const body = new ReadableStream<Uint8Array>({ pull, cancel: leave }, buffer)
  return new Response(body, { headers: SSE_HEADERS })
}

const room = ({ desiredSize }: ReadableStreamDefaultController): number => desiredSize ?? 0

/** Notes what a frame tells of the end of its run. Most frames carry text, which is not parsed for it. */
function note(ends: Ends, payload: string): void {
  if (!payload.includes('"task_')) return
  const frame: Frame = JSON.parse(payload)
  const delta = frame.event === 'sse' ? frame.data.choices[0]?.delta : undefined
  if (delta?.task_cancelled) ends.aborted = true
  if (delta?.task_complete) ends.usage = delta.task_complete.token_usage
}
