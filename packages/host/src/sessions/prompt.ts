import { type Limits, refuse } from '@svc/contract'

/** Judges a system prompt of a session or a run (spec §4.2 agent 2). Errors: `APP_INVALID_REQUEST`. */
export function judgePrompt(text: string, { SYSTEM_PROMPT_MAX_CHARS: max }: Limits): void {
  if (text.length > max)
    throw refuse(
      'APP_INVALID_REQUEST',
      `systemPrompt must have at most ${max} characters, got ${text.length}`,
      { hint: 'Shorten it, or give the rest as content of the first run.' },
    )
}
