import type { LanguageModelV4Usage } from '@ai-sdk/provider'
import { type Fields, fieldsOf } from '../members.ts'

/** The counts of an answer. */
export interface Counts {
  readonly input: number | undefined
  readonly output: number | undefined
}

/** The names under which servers tell the tokens that were read, and those that were written. */
const inputs = ['prompt_tokens', 'input_tokens', 'prompt_eval_count'] as const
const outputs = ['completion_tokens', 'output_tokens', 'eval_count'] as const

/** What an event tells of tokens, wherever servers put it; `null`: nothing. */
export function countsIn(chunk: Fields, choice: Fields | null): Counts | null {
  // Most events have none, and each token is one.
  if (chunk.usage == null && choice?.usage == null && chunk.x_groq == null && chunk.eval_count == null)
    return null
  for (const one of [chunk.usage, choice?.usage, fieldsOf(chunk.x_groq).usage, chunk]) {
    const usage = fieldsOf(one)
    const [input, output] = [firstCount(usage, inputs), firstCount(usage, outputs)]
    if (input !== undefined || output !== undefined) return { input, output }
  }
  return null
}

function firstCount(usage: Fields, names: readonly string[]): number | undefined {
  for (const name of names) {
    const value = usage[name]
    if (typeof value === 'number' || (typeof value === 'string' && value !== '')) return Number(value)
  }
  return undefined
}

/** The counts as parts of an answer have them. */
export const usageOf = (counts: Counts | null): LanguageModelV4Usage => ({
  inputTokens: { total: counts?.input, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: counts?.output, text: undefined, reasoning: undefined },
})
