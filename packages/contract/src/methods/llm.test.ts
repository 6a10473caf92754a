import { verifies } from '@svc/conformance/verifies'
import { expect } from 'vitest'
import { explain } from './define.ts'
import { llm } from './llm.ts'

const said = (text: unknown, role: unknown = 'user') => ({ role, content: { type: 'text', text } })
const messages = [said('hi')]

/** The sentence that refuses the arguments, or `null`. */
function refusalOf(row: typeof llm.complete | typeof llm.embed, args: unknown): string | null {
  const parsed = row.args.safeParse(args)
  return parsed.success ? null : explain(parsed.error, args)
}

verifies.each(['llm.complete.messages', 'error.invalid_arg.role'])([
  [undefined, 'messages must be an array, got nothing'],
  [null, 'messages must be an array, got null'],
  ['hi', 'messages must be an array, got "hi"'],
  [[], 'messages must have at least 1 item, got []'],
  [['hi'], 'messages.0 must be an object, got "hi"'],
  [[said('hi', null)], 'messages.0.role must be one of "user", "assistant", got null'],
  [[said('hi', 'system')], 'messages.0.role must be one of "user", "assistant", got "system"'],
  [[said('hi', 'tool')], 'messages.0.role must be one of "user", "assistant", got "tool"'],
  [[said('hi'), said('hi', 7)], 'messages.1.role must be one of "user", "assistant", got 7'],
  [[{ role: 'user' }], 'messages.0.content must be an object, got nothing'],
  [[{ role: 'user', content: 'hi' }], 'messages.0.content must be an object, got "hi"'],
  [[said(undefined)], 'messages.0.content.text must be a string, got nothing'],
  [[said(7)], 'messages.0.content.text must be a string, got 7'],
  [
    [{ role: 'user', content: { type: 'image', text: 'hi' } }],
    'messages.0.content.type must be one of "text", got "image"',
  ],
])('the messages %j are refused', (given, sentence) => {
  expect(refusalOf(llm.complete, { messages: given, maxTokens: 10 })).toBe(sentence)
})

verifies('llm.complete.messages', 'takes a talk of both roles, empty texts included', () => {
  const talk = [said('hi'), said('', 'assistant'), said('\u0000')]
  expect(llm.complete.args.parse({ messages: talk, maxTokens: 10 }).messages).toEqual(talk)
})

verifies.each('llm.complete.max_tokens')([
  [1, null],
  [4_096, null],
  [1e9, null],
  [undefined, null],
  [0, 'maxTokens must be at least 1, got 0'],
  [-1, 'maxTokens must be at least 1, got -1'],
  [1.5, 'maxTokens must be an integer, got 1.5'],
  [true, 'maxTokens must be an integer, got true'],
  [null, 'maxTokens must be an integer, got null'],
  ['10', 'maxTokens must be an integer, got "10"'],
  [Number.POSITIVE_INFINITY, 'maxTokens must be an integer, got Infinity'],
  [[10], 'maxTokens must be an integer, got [10]'],
])('maxTokens %j: %j', (maxTokens, sentence) => {
  expect(refusalOf(llm.complete, { messages, maxTokens })).toBe(sentence)
})

const hint = (name: unknown) => ({ hints: [{ name }] })

verifies.each('llm.complete.preferences')([
  [undefined, null],
  [{}, null],
  [{ hints: [], costPriority: 0, speedPriority: 0.5, intelligencePriority: 1 }, null],
  [{ ...hint('claude'), more: 1 }, null],
  [null, 'modelPreferences must be an object, got null'],
  ['fast', 'modelPreferences must be an object, got "fast"'],
  [{ hints: 'x' }, 'modelPreferences.hints must be an array, got "x"'],
  [{ hints: ['x'] }, 'modelPreferences.hints.0 must be an object, got "x"'],
  [hint(undefined), 'modelPreferences.hints.0.name must be a string, got nothing'],
  [hint(''), 'modelPreferences.hints.0.name must have at least 1 character, got ""'],
  [{ costPriority: 1.1 }, 'modelPreferences.costPriority must be at most 1, got 1.1'],
  [{ speedPriority: -0.1 }, 'modelPreferences.speedPriority must be at least 0, got -0.1'],
  [{ intelligencePriority: '1' }, 'modelPreferences.intelligencePriority must be a number, got "1"'],
])('the preferences %j: %j', (modelPreferences, sentence) => {
  expect(refusalOf(llm.complete, { messages, maxTokens: 1, modelPreferences })).toBe(sentence)
})

verifies.each('llm.embed')([
  ['hi', null],
  [['hi', 'there'], null],
  [undefined, 'input must be a string, got nothing'],
  ['', 'input must have at least 1 character, got ""'],
  [[], 'input must have at least 1 item, got []'],
  [[''], 'input.0 must have at least 1 character, got ""'],
  [7, 'input must be a string, got 7'],
])('the input %j: %j', (input, sentence) => {
  expect(refusalOf(llm.embed, { input })).toBe(sentence)
})
