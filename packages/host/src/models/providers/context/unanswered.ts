import type { LanguageModelV4Prompt } from '@ai-sdk/provider'

type Message = LanguageModelV4Prompt[number]

/** A prompt without the turns before the newest that came to no answer, and how many they were; `null`: there are none. */
export function withoutUnanswered(
  prompt: LanguageModelV4Prompt,
): { readonly prompt: LanguageModelV4Prompt; readonly dropped: number } | null {
  const turns: Message[][] = []
  for (const message of prompt)
    if (message.role === 'user' || turns.length === 0) turns.push([message])
    else turns.at(-1)?.push(message)
  const kept = turns.filter(
    (turn, at) => at === turns.length - 1 || turn[0]?.role !== 'user' || turn.at(-1)?.role === 'assistant',
  )
  const dropped = turns.length - kept.length
  return dropped > 0 ? { prompt: kept.flat(), dropped } : null
}
