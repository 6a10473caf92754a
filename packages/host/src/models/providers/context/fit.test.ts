import type { LanguageModelV4Prompt } from '@ai-sdk/provider'
import { expect, it } from 'vitest'
import { ModelFailure } from '../failure.ts'
import type { AskOptions } from '../part-reader.ts'
import { openFit } from './fit.ts'

type Message = LanguageModelV4Prompt[number]

/** A text of so many tokens. */
const text = (tokens: number, mark: string) => [{ type: 'text', text: mark.repeat(tokens * 4) } as const]
const user = (tokens: number, mark = 'u'): Message => ({ role: 'user', content: text(tokens, mark) })
const assistant = (tokens: number): Message => ({ role: 'assistant', content: text(tokens, 'a') })
const system: Message = { role: 'system', content: 's'.repeat(40) }
const call: Message = {
  role: 'assistant',
  content: [{ type: 'tool-call', toolCallId: '1', toolName: 't', input: {} }],
}
const result: Message = {
  role: 'tool',
  content: [{ type: 'tool-result', toolCallId: '1', toolName: 't', output: { type: 'json', value: 1 } }],
}

/** A model with a context, which says of a longer request what `tells` makes of the two numbers. */
function open(
  context: number,
  tells: (max: number, used: number) => Record<string, number>,
  { given = null, tokenBytes = 4 }: { readonly given?: number | null; readonly tokenBytes?: number } = {},
) {
  const sent: AskOptions[] = []
  const learnt: number[] = []
  const fit = openFit('m', { TOKEN_BYTES: 4 }, given, (max) => learnt.push(max))
  const sizeOf = ({ prompt }: AskOptions) =>
    prompt.reduce((sum, { content }) => {
      const words =
        typeof content === 'string'
          ? content
          : content.map((part) => (part.type === 'text' ? part.text : JSON.stringify(part))).join('')
      return sum + Math.ceil(words.length / tokenBytes)
    }, 0)
  async function ask(prompt: Message[], { maxOutputTokens = 50, mayDrop = true } = {}) {
    const dropped: number[] = []
    const options = {
      prompt,
      maxOutputTokens,
      ...(mayDrop && { onDropped: (turns: number) => void dropped.push(turns) }),
    }
    const outcome = await fit
      .ask(options, async (fitted) => {
        sent.push(fitted)
        const size = sizeOf(fitted)
        if (size + (fitted.maxOutputTokens ?? 0) > context)
          throw new ModelFailure('m', 'too_long', tells(context, size))
        return 'answered'
      })
      .catch((error) => error)
    return {
      outcome,
      dropped,
      roles: sent
        .at(-1)
        ?.prompt.map(({ role }) => role)
        .join(' '),
    }
  }
  return { ask, sent, learnt }
}

const both = (max: number, used: number) => ({ max, used })
const limit = (max: number) => ({ max })
const nothing = (): Record<string, number> => ({})
const long = () => [
  system,
  user(100),
  assistant(100),
  user(100),
  assistant(100),
  user(100),
  assistant(100),
  user(10),
]

it.each([
  ['its limit and the size', both, 2],
  ['its limit', limit, 2],
  ['no number', nothing, 2],
])('a model that tells %s gets the newest turns, and is refused once', async (_name, tells, asked) => {
  const { ask, sent } = open(400, tells)
  const first = await ask(long())
  expect(first).toMatchObject({ outcome: 'answered', dropped: [2], roles: 'system user assistant user' })
  expect(sent.length).toBe(asked)
  expect((await ask(long())).outcome).toBe('answered')
  expect(sent.length).toBe(asked + 1)
})

it('a model whose limit is known beforehand is not refused once', async () => {
  const { ask, sent } = open(400, nothing, { given: 400 })
  expect(await ask(long())).toMatchObject({ outcome: 'answered', dropped: [2] })
  expect(sent.length).toBe(1)
})

it('a conversation that fits is sent as it is', async () => {
  const { ask, sent, learnt } = open(10_000, both)
  const prompt = long()
  expect(await ask(prompt)).toMatchObject({ outcome: 'answered', dropped: [] })
  expect([sent[0]?.prompt, learnt]).toEqual([prompt, []])
})

it('a model with shorter tokens is asked with less once it said so', async () => {
  const { ask, sent } = open(400, both, { tokenBytes: 2 })
  expect(await ask(long())).toMatchObject({ outcome: 'answered' })
  const refused = sent.length
  expect(refused).toBeLessThanOrEqual(3)
  await ask(long())
  expect(sent.length).toBe(refused + 1)
})

it('a turn goes whole: its calls with their results', async () => {
  const { ask } = open(300, both)
  const prompt = [
    user(100),
    call,
    result,
    assistant(100),
    user(100),
    call,
    result,
    assistant(50),
    user(10),
    call,
    result,
  ]
  expect((await ask(prompt)).roles).toBe('user assistant tool assistant user assistant tool')
})

it.each([
  [
    'in a session',
    true,
    /^It takes 200 tokens with its answer, and this has about 500 tokens: shorten this message/,
  ],
  [
    'elsewhere',
    false,
    /^It takes 200 tokens with its answer, and this has about 500 tokens: shorten the messages, or leave/,
  ],
])('one message that does not fit alone is told as that, %s', async (_name, mayDrop, hint) => {
  const { ask, sent } = open(200, both)
  const { outcome } = await ask([user(500)], { mayDrop })
  expect(outcome).toMatchObject({
    code: 'invalid_arg',
    details: { reason: 'too_long', max: 200, hint: expect.stringMatching(hint) },
  })
  expect(sent.length).toBeLessThanOrEqual(3)
})

it('turns are left out before one message is given up, and that is said', async () => {
  const { ask } = open(200, both)
  const { outcome } = await ask([user(100), assistant(100), user(500)])
  expect(outcome.details.hint).toContain('the turns before were left out already')
})

it('no turn is left out of what an app sends', async () => {
  const { ask, sent } = open(400, both)
  expect((await ask(long(), { mayDrop: false })).outcome).toMatchObject({ code: 'invalid_arg' })
  expect(new Set(sent.map(({ prompt }) => prompt.length))).toEqual(new Set([8]))
})

it.each([
  ['its limit and the size', both],
  ['its limit', limit],
  ['no number', nothing],
])('an answer is shorter where the context has no room for it: %s', async (_name, tells) => {
  const { ask, sent } = open(300, tells)
  expect((await ask([user(100)], { maxOutputTokens: 4_096 })).outcome).toBe('answered')
  expect(sent.at(-1)?.maxOutputTokens).toBeGreaterThan(50)
  const refused = sent.length
  await ask([user(100)], { maxOutputTokens: 4_096 })
  expect(sent.length).toBe(refused + 1)
})

it('another failure is told as it is', async () => {
  const fit = openFit('m', { TOKEN_BYTES: 4 }, null, () => {})
  const failure = new ModelFailure('m', 'busy')
  await expect(fit.ask({ prompt: [user(1)] }, () => Promise.reject(failure))).rejects.toBe(failure)
})

it.each([
  ['in a session', true, 'answered', [1]],
  ['in a list of an app', false, expect.objectContaining({ reason: 'refused' }), []],
])(
  'a question that came to no answer, and is refused again, %s',
  async (_name, mayDrop, outcome, expected) => {
    const fit = openFit('m', { TOKEN_BYTES: 4 }, null, () => {})
    const prompt = [system, user(1), assistant(1), user(1, 'bad'), user(1)]
    const dropped: number[] = []
    const options = { prompt, ...(mayDrop && { onDropped: (turns: number) => void dropped.push(turns) }) }
    const asked = fit.ask(options, async (sent) => {
      if (JSON.stringify(sent.prompt).includes('bad')) throw new ModelFailure('m', 'refused')
      return 'answered'
    })
    expect(await asked.catch((error) => error)).toEqual(outcome)
    expect(dropped).toEqual(expected)
  },
)
