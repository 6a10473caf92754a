import type { Chunk, ChunkDelta, Frame, TokenUsage, Withheld } from '@svc/contract'

/** Why a model stopped, as OpenAI-style servers name it. */
export type Finish = Exclude<Chunk['choices'][number]['finish_reason'], null>

/** What a run took that finished, and why its model stopped. */
export interface Completed {
  readonly usage: TokenUsage
  readonly finish: Finish
  /** Why text is missing; `null`: it is not. */
  readonly withheld: Withheld | null
  /** How many of the oldest turns the model was not given, because they did not fit. */
  readonly dropped: number
}

const SECOND_MS = 1_000

/** Opens the frames of one run that carry chunks, as JSON text; the first one names the role. `createdAt` is Unix ms. */
export function openChunks(runId: string, model: string, createdAt: number) {
  const about = {
    id: `chatcmpl-${runId}`,
    object: 'chat.completion.chunk',
    created: Math.floor(createdAt / SECOND_MS),
    model,
  } as const
  // A token frame is this and its token: what is the same in all is written once.
  const head = `{"event":"sse","data":${JSON.stringify(about).slice(0, -1)},"choices":[{"index":0,"delta":`
  const tail = (finish: Finish | null) => `,"finish_reason":${JSON.stringify(finish)}}]}}`
  const open = tail(null)
  let isFirst = true

  const frame = (delta: ChunkDelta, finish: Finish | null = null): string => {
    const named: ChunkDelta = isFirst ? { role: 'assistant', ...delta } : delta
    isFirst = false
    return head + JSON.stringify(named) + tail(finish)
  }
  return {
    text: (content: string): string =>
      isFirst ? frame({ content }) : `${head}{"content":${JSON.stringify(content)}}${open}`,
    delta: (delta: ChunkDelta): string => frame(delta),
    /** The last one of a run that finished. */
    complete({ usage: token_usage, finish, withheld, dropped: dropped_turns }: Completed): string {
      const details = withheld && { stop_reason: withheld }
      const dropped = dropped_turns > 0 && { dropped_turns }
      return frame({ task_complete: { token_usage, ...dropped, ...(details && { details }) } }, finish)
    },
    /** The last one of a run that was cancelled; clients of such streams take one without a reason for broken. */
    cancelled: (): string => frame({ task_cancelled: true }, 'stop'),
  }
}

export type Chunks = ReturnType<typeof openChunks>

/** A frame that carries no chunk, as JSON text. */
export const frameText = (frame: Exclude<Frame, { event: 'sse' }>): string => JSON.stringify(frame)
