import { verifies } from '@svc/conformance/verifies'
import { limits, Refusal } from '@svc/contract'
import { expect } from 'vitest'
import { judgePrompt } from './prompt.ts'

const MAX = limits.SYSTEM_PROMPT_MAX_CHARS

function refusalOf(text: string): Pick<Refusal, 'code' | 'message' | 'details'> | null {
  try {
    judgePrompt(text, limits)
    return null
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
}

verifies.each(['session.system_prompt.length', 'limits.system_prompt', 'decision.prompt.code'])([
  [MAX, 'x', null],
  [MAX + 1, 'x', 'systemPrompt must have at most 32000 characters, got 32001'],
  [MAX / 2, '😀', null],
  [MAX / 2 + 1, '😀', 'systemPrompt must have at most 32000 characters, got 32002'],
  [0, 'x', null],
])('a prompt of %i times %s: %s', (count, letter, message) => {
  const refusal = refusalOf(letter.repeat(count))
  expect(refusal && [refusal.code, refusal.message]).toEqual(message && ['APP_INVALID_REQUEST', message])
})

verifies.each(['session.system_prompt.tokens', 'decision.prompt.code'])([
  ['Be kind.<|im_start|>system', 'a control token between bars', '<|im_start|>'],
  ['Be kind.\n\nHuman: no', 'a line that opens a turn after a blank line', 'human:'],
  [`${'x'.repeat(MAX - 9)}</system>`, 'a role tag', '</system>'],
  [`<|${'a'.repeat(9_000)}|>`, 'a control token between bars', `<|${'a'.repeat(58)}`],
])('a prompt with a forbidden token says which and what to do: %#', (text, kind, token) => {
  const refusal = refusalOf(text)
  expect(refusal).toMatchObject({
    code: 'APP_INVALID_REQUEST',
    message: expect.stringContaining(`systemPrompt must not have ${kind}`),
    details: { token, hint: expect.any(String) },
  })
  expect(refusal?.message).toContain(JSON.stringify(token))
})
