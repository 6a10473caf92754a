import type { LanguageModelV4Prompt } from '@ai-sdk/provider'
import { expect, it } from 'vitest'
import { tidyPrompt } from './tidy-prompt.ts'
import { openWireNames } from './wire-names.ts'

type Message = LanguageModelV4Prompt[number]

const text = (words: string) => ({ type: 'text', text: words }) as const
const system = (content: string): Message => ({ role: 'system', content })
const user = (...words: string[]): Message => ({ role: 'user', content: words.map(text) })
const assistant = (...words: string[]): Message => ({ role: 'assistant', content: words.map(text) })
const calls = (id: string, input: unknown = {}): Message => ({
  role: 'assistant',
  content: [{ type: 'tool-call', toolCallId: id, toolName: 'a.b', input }],
})
const results = (id: string): Message => ({
  role: 'tool',
  content: [{ type: 'tool-result', toolCallId: id, toolName: 'a.b', output: { type: 'json', value: 1 } }],
})
const tidy = (...prompt: Message[]) => tidyPrompt(prompt, openWireNames([]))
/** The roles and texts of a prompt. */
const shown = (prompt: LanguageModelV4Prompt) =>
  prompt.map(({ role, content }) =>
    typeof content === 'string'
      ? `${role} ${content}`
      : `${role} ${content.map((part) => (part.type === 'text' ? part.text : part.type)).join('|')}`,
  )

it.each<[string, Message[], string[]]>([
  [
    'a conversation that is in order',
    [system('s'), user('a'), assistant('b'), user('c')],
    ['system s', 'user a', 'assistant b', 'user c'],
  ],
  ['questions without an answer between them', [user('a'), user('b'), user('c')], ['user a\n\nb\n\nc']],
  [
    'answers that follow each other',
    [user('a'), assistant('b'), assistant('c'), user('d')],
    ['user a', 'assistant b\n\nc', 'user d'],
  ],
  ['an answer that is empty', [user('a'), assistant(''), user('b')], ['user a\n\nb']],
  ['an answer of blanks', [user('a'), assistant(' \n'), user('b')], ['user a\n\nb']],
  ['an answer without parts', [user('a'), assistant(), user('b')], ['user a\n\nb']],
  [
    'a question that is empty',
    [user('a'), assistant('b'), user('')],
    ['user a', 'assistant b', 'user (no text)'],
  ],
  ['an empty question before', [user(''), assistant('b'), user('c')], ['assistant b', 'user c']],
  [
    'system messages anywhere',
    [user('a'), system('s'), assistant('b'), system('t'), user('c')],
    ['system s\n\nt', 'user a', 'assistant b', 'user c'],
  ],
  ['a system message that is empty', [system(' '), user('a')], ['user a']],
  ['two texts in one question', [user('a', '', 'b')], ['user a\n\nb']],
  [
    'results that nobody answered',
    [user('a'), calls('1'), results('1'), user('b')],
    ['user a', 'assistant tool-call', 'tool tool-result', 'assistant The answer was cut off.', 'user b'],
  ],
  [
    'results in two messages',
    [user('a'), calls('1'), results('1'), results('2'), assistant('b')],
    ['user a', 'assistant tool-call', 'tool tool-result|tool-result', 'assistant b'],
  ],
])('%s', (_name, prompt, expected) => {
  expect(shown(tidy(...prompt))).toEqual(expected)
})

it('an image stays beside the words of its question', () => {
  const image = {
    type: 'file',
    mediaType: 'image/png',
    data: { type: 'data', data: new Uint8Array(1) },
  } as const
  const prompt = tidy(user('a'), { role: 'user', content: [text('b'), image, text('')] })
  expect(shown(prompt)).toEqual(['user a\n\nb|file'])
})

/** The calls and results of a prompt. */
const partsOf = (prompt: LanguageModelV4Prompt) =>
  prompt.flatMap(({ content }) =>
    typeof content === 'string'
      ? []
      : content.flatMap((part) => (part.type === 'tool-call' || part.type === 'tool-result' ? [part] : [])),
  )

it.each([
  ['one that servers take', 'call_1', /^call_1$/],
  ['an empty one', '', /^call_\w{16}$/],
  ['a long one', 'x'.repeat(64), /^call_\w{16}$/],
  ['one with other characters', 'functions.a:0', /^call_\w{16}$/],
])('the id of a call is one for every server: %s', (_name, id, expected) => {
  const [call, result] = partsOf(tidy(user('a'), calls(id), results(id)))
  expect(call?.toolCallId).toMatch(expected)
  expect(result?.toolCallId).toBe(call?.toolCallId)
})

it('an id that comes again is another one, and its result goes with it', () => {
  const parts = partsOf(
    tidy(user('a'), calls('0'), results('0'), assistant('b'), user('c'), calls('0'), results('0')),
  )
  const ids = parts.map(({ toolCallId }) => toolCallId)
  expect(ids[0]).toBe('0')
  expect([ids[1], ids[3]]).toEqual([ids[0], ids[2]])
  expect(ids[2]).not.toBe(ids[0])
})

it.each([
  [{ q: 1 }, { q: 1 }],
  ['{"q"', { input: '{"q"' }],
  [[1], { input: [1] }],
  [null, { input: null }],
  [7, { input: 7 }],
])('arguments %j of an earlier call are an object', (input, expected) => {
  expect(partsOf(tidy(user('a'), calls('1', input), results('1')))[0]).toMatchObject({ input: expected })
})

it('calls and results of earlier turns go by the names that servers take', () => {
  expect(partsOf(tidy(user('a'), calls('1'), results('1'))).map(({ toolName }) => toolName)).toEqual([
    expect.stringMatching(/^t\w{8}_a_b$/),
    expect.stringMatching(/^t\w{8}_a_b$/),
  ])
})
