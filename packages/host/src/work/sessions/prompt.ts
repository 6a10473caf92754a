import { findPromptToken, type Limits, refuse } from '@svc/contract'

/**
 * Judges a system prompt of a session or a run; `.length` counts its characters.
 * Errors: `APP_INVALID_REQUEST`.
 */
export function judgePrompt(
  text: string,
  { SYSTEM_PROMPT_MAX_CHARS: max }: Pick<Limits, 'SYSTEM_PROMPT_MAX_CHARS'>,
): void {
  if (text.length > max)
    throw refuse(
      'APP_INVALID_REQUEST',
      `systemPrompt must have at most ${max} characters, got ${text.length}`,
      { max, size: text.length, hint: 'Shorten it, or give the rest as content of the first run.' },
    )
  const found = findPromptToken(text)
  if (!found) return
  const token = found.token.slice(0, SHOWN_CHARS)
  throw refuse(
    'APP_INVALID_REQUEST',
    `systemPrompt must not have ${found.kind} in it, got ${JSON.stringify(token)}`,
    { token, hint: 'Leave it out, or write it with a space inside where the prompt is about it.' },
  )
}

const SHOWN_CHARS = 60
