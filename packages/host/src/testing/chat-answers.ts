import { limits } from '@svc/contract'
import { frozenClock } from '@svc/node/testing'
import { chatReader } from '../models/providers/chat/chat-reader.ts'
import { refusalError } from '../models/providers/chat/refused.ts'
import { ModelFailure } from '../models/providers/failure.ts'
import { failureOf } from '../models/providers/failure-of.ts'
import type { ModelPart } from '../models/providers/part-reader.ts'

/** What an answer comes to. */
export interface ReadAnswer {
  readonly text: string
  readonly thought: string
  /** The name and the arguments of each call. */
  readonly calls: readonly (readonly [name: string, input: string])[]
  /** The ids of the calls. */
  readonly ids: readonly string[]
  /** Why it ended, and the server's own word. */
  readonly finish: readonly (string | undefined)[]
  /** Tokens read and written. */
  readonly usage: readonly (number | undefined)[]
  readonly model: string | null
  /** The reason of its failure; `null`: it has none. */
  readonly failed: string | null
  readonly parts: readonly ModelPart[]
}

/** Reads pieces of an answer to the first failure, as the guard does. `isOpen`: the connection is left open behind them. */
export async function byReader(pieces: readonly Uint8Array[], isOpen = false): Promise<ReadAnswer> {
  const left = [...pieces]
  const clock = frozenClock()
  const about = { url: new URL('http://model.test/v1'), secrets: [] }
  const reader = chatReader(
    {
      // A connection that is left open is waited for as long as its reader says.
      read: async (withinMs) =>
        left.shift() ?? (isOpen && withinMs === undefined ? new Promise(() => {}) : null),
      cancel() {},
    },
    {
      clock,
      limits,
      provider: 'openai-compatible',
      warnings: [],
      tools: new Set(['probe']),
      said: (text) => refusalError(about, text),
      broken: (reason) => new ModelFailure('m', reason),
    },
  )
  const parts: ModelPart[] = []
  let failed: string | null = null
  for (let read = await reader.read(); read !== null && failed === null; read = await reader.read())
    for (const part of read) {
      if (part.type === 'error') failed ??= failureOf('m', part.error).reason
      else parts.push(part)
    }
  return { ...summary(parts), failed, parts }
}

function summary(parts: readonly ModelPart[]): Omit<ReadAnswer, 'failed' | 'parts'> {
  const deltas = (type: 'text-delta' | 'reasoning-delta') =>
    parts.map((part) => (part.type === type ? part.delta : '')).join('')
  const calls = parts.filter((part) => part.type === 'tool-call')
  const end = parts.find((part) => part.type === 'finish')
  const about = parts.find((part) => part.type === 'response-metadata')
  return {
    text: deltas('text-delta'),
    thought: deltas('reasoning-delta'),
    calls: calls.map(({ toolName, input }) => [toolName, input]),
    ids: calls.map(({ toolCallId }) => toolCallId),
    finish: end ? [end.finishReason.unified, end.finishReason.raw] : [],
    usage: end ? [end.usage.inputTokens.total, end.usage.outputTokens.total] : [],
    model: about?.modelId ?? null,
  }
}

/** Cuts a text into pieces, at shares of its bytes. */
export function cut(text: string, shares: readonly number[]): Uint8Array[] {
  const bytes = new TextEncoder().encode(text)
  const places = [...new Set(shares.map((share) => Math.floor(share * bytes.length)))].sort((a, b) => a - b)
  return [0, ...places].map((from, at) => bytes.slice(from, places[at] ?? bytes.length))
}

/** A text byte by byte. */
export const inBytes = (text: string): Uint8Array[] =>
  [...new TextEncoder().encode(text)].map((byte) => Uint8Array.of(byte))

/** What chunks tell of their answer. */
export const about = { id: 'gen-1', created: 1_700_000_000, model: 'm-1' }
/** The events of an answer, as a stream. */
export const events = (...data: unknown[]) =>
  data.map((one) => `data: ${typeof one === 'string' ? one : JSON.stringify(one)}\n\n`).join('')
/** A chunk of an answer with this delta. */
export const said = (delta: unknown, finish_reason: unknown = null) => ({
  ...about,
  choices: [{ index: 0, delta, finish_reason }],
})
