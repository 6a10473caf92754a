import { rounds } from '@svc/conformance/rounds'
import { verifies } from '@svc/conformance/verifies'
import fc from 'fast-check'
import { expect } from 'vitest'
import { about, byReader, cut, events, inBytes, said } from '../../../testing/chat-answers.ts'

const stop = said({}, 'stop')
const hello = said({ content: 'Hello' })
const usage = { prompt_tokens: 9, completion_tokens: 8, total_tokens: 17 }
const json = (value: unknown) => JSON.stringify(value)
const bare = (choice: object) => json({ ...about, choices: [choice] })
const lines = (...values: unknown[]) => values.map((one) => `${json(one)}\n`).join('')
const ofOllama = (message: object, more: object = {}) => ({ model: 'm-1', message, done: false, ...more })

/** Whole answers: what a server sends, and what is read of it besides the text `Hello`. */
verifies.each('llm.complete.result')([
  ['as OpenAI sends it', events(said({ role: 'assistant', content: '' }), hello, stop, '[DONE]')],
  ['in two pieces of text', events(said({ content: 'Hel' }), said({ content: 'lo' }), stop, '[DONE]')],
  ['by a finish reason alone', events(hello, stop)],
  ['by [DONE] alone', events(hello, '[DONE]'), { finish: ['stop', undefined] }],
  [
    'by [DONE] with blanks, and garbage behind it',
    `${events(hello, ' [DONE] ')}data: {"choices"\n\n<html>`,
    { finish: ['stop', undefined] },
  ],
  ['by [DONE] in quotes', events(hello, '"[DONE]"'), { finish: ['stop', undefined] }],
  ['by [done]', events(hello, '[done]'), { finish: ['stop', undefined] }],
  ['by the name of an event', `${events(hello)}event: done\ndata: {}\n\n`, { finish: ['stop', undefined] }],
  [
    'by its usage alone',
    events(hello, { choices: [], usage }),
    { finish: ['stop', undefined], usage: [9, 8] },
  ],
  ['by a finish reason in the spelling of Java', events(hello, { choices: [{ finishReason: 'stop' }] })],
  ['with a part that is not in a list', events(said({ content: { type: 'text', text: 'Hello' } }), stop)],
  ['with texts in a list', events(said({ content: ['Hel', 'lo'] }), stop)],
  ['with a delta that is a text', events({ choices: [{ delta: 'Hello' }] }, stop)],
  ['with signs of life that have words', `event: ping\ndata: {"message":"alive"}\n\n${events(hello, stop)}`],
  [
    'in what DashScope puts around it',
    events({ output: { ...about, choices: [{ message: { content: 'Hello' }, finish_reason: 'stop' }] } }),
  ],
  [
    'in what gateways put around it',
    json({
      code: 200,
      msg: 'ok',
      data: { ...about, choices: [{ message: { content: 'Hello' }, finish_reason: 'stop' }] },
    }),
  ],
  [
    'ended by a filter that says which',
    events(hello, said({}, 'content_filter: OTHER')),
    { finish: ['content-filter', 'content_filter: OTHER'] },
  ],
  ['with an error behind [DONE]', events(hello, stop, '[DONE]', { error: { message: 'late' } })],
  [
    'with a finish reason in each event',
    events(said({ content: 'Hel' }, 'stop'), said({ content: 'lo' }, 'stop')),
  ],
  ['with a finish reason that is empty before its end', events(said({ content: 'Hello' }, ''), stop)],
  [
    'with a finish reason that is not a text',
    events({ choices: [{ delta: { content: 'Hello' }, finish_reason: false }] }, stop),
  ],
  [
    'with a finish reason that nobody knows',
    events(hello, said({}, 'weird')),
    { finish: ['other', 'weird'] },
  ],
  ['cut at the most tokens', events(hello, said({}, 'length')), { finish: ['length', 'length'] }],
  [
    'cut at the most tokens, in Mistral’s word',
    events(hello, said({}, 'model_length')),
    { finish: ['length', 'model_length'] },
  ],
  [
    'cut at the most tokens, in Google’s word',
    events(hello, said({}, 'MAX_TOKENS')),
    { finish: ['length', 'MAX_TOKENS'] },
  ],
  [
    'ended by a stop sequence',
    events(hello, said({}, 'stop_sequence')),
    { finish: ['stop', 'stop_sequence'] },
  ],
  [
    'ended by a filter',
    events(hello, said({}, 'content_filter')),
    { finish: ['content-filter', 'content_filter'] },
  ],
  ['ended by Google’s filter', events(hello, said({}, 'SAFETY')), { finish: ['content-filter', 'SAFETY'] }],
  [
    'that is a refusal',
    events(said({ refusal: 'Hel' }), said({ refusal: 'lo' }), stop),
    { finish: ['content-filter', 'refusal'] },
  ],
  [
    'with usage behind its end',
    events(hello, stop, { ...about, choices: [], usage }, '[DONE]'),
    { usage: [9, 8] },
  ],
  [
    'with usage in each event',
    events({ ...hello, usage: { prompt_tokens: 9, completion_tokens: 1 } }, { ...stop, usage }),
    { usage: [9, 8] },
  ],
  [
    'with usage in its choice',
    events({ choices: [{ delta: { content: 'Hello' }, usage, finish_reason: 'stop' }] }),
    { usage: [9, 8], model: null },
  ],
  ['with usage of Groq', events(hello, { ...stop, x_groq: { id: 'r', usage } }), { usage: [9, 8] }],
  [
    'with usage in texts',
    events(hello, { ...stop, usage: { prompt_tokens: '9', completion_tokens: '8' } }),
    { usage: [9, 8] },
  ],
  [
    'with usage under other names',
    events(hello, { ...stop, usage: { input_tokens: 9, output_tokens: 8 } }),
    { usage: [9, 8] },
  ],
  [
    'with half of the usage',
    events(hello, { ...stop, usage: { prompt_tokens: 9, completion_tokens: null } }),
    { usage: [9, undefined] },
  ],
  ['with usage that is null', events({ ...hello, usage: null }, stop)],
  ['with usage that is a text', events({ ...hello, usage: 'none' }, stop)],
  ['with an error that is null', events({ ...hello, error: null }, { ...stop, error: null })],
  [
    'with an error that says nothing',
    events({ ...hello, error: {} }, { ...stop, error: { code: 0, message: '' } }),
  ],
  [
    'with null everywhere',
    events(
      {
        ...hello,
        choices: [
          {
            index: 0,
            delta: {
              content: 'Hello',
              role: null,
              refusal: null,
              tool_calls: null,
              reasoning: null,
              function_call: null,
            },
            finish_reason: null,
            logprobs: null,
          },
        ],
        usage: null,
        system_fingerprint: null,
      },
      stop,
    ),
  ],
  ['with content that is null at its end', events(hello, said({ content: null }, 'stop'))],
  [
    'with fields of other types',
    events(
      {
        id: 7,
        created: '2026',
        object: 1,
        model: 'm-1',
        system_fingerprint: {},
        choices: [{ index: '0', delta: { content: 'Hello', role: 'model' }, logprobs: 'x' }],
      },
      { ...stop, id: null, created: 1.5 },
    ),
  ],
  [
    'with events without choices',
    events({ object: 'ping' }, hello, { choices: null }, { ...about, prompt_filter_results: [] }, stop),
  ],
  ['with events without a choice', events({ ...about, choices: [] }, hello, { ...about, choices: [] }, stop)],
  [
    'with choices without a delta',
    events({ choices: [{ index: 0 }] }, hello, { choices: [{ index: 0, finish_reason: 'stop' }] }),
  ],
  [
    'with a second choice',
    events({ ...about, choices: [{ delta: { content: 'Hello' } }, { delta: { content: 'Bye' } }] }, stop),
  ],
  [
    'with data that is null, a number or a word',
    events('null', '7', '"x"', 'ping', '', hello, 'keep-alive', stop),
  ],
  [
    'with a message in each event',
    events(
      { ...about, choices: [{ message: { content: 'Hello' } }] },
      { ...about, choices: [{ message: { content: '' }, finish_reason: 'stop' }] },
    ),
  ],
  [
    'with a message that repeats it',
    events(
      { ...about, choices: [{ delta: { content: 'Hello' }, message: { content: 'Hello' } }] },
      { ...about, choices: [{ message: { content: 'Hello' }, finish_reason: 'stop' }] },
    ),
  ],
  [
    'of old completions',
    events(
      { ...about, choices: [{ text: 'Hel', finish_reason: null }] },
      { ...about, choices: [{ text: 'lo', finish_reason: 'stop' }] },
    ),
  ],
  [
    'in parts of content',
    events(
      said({ content: [{ type: 'text', text: 'Hel' }, { type: 'x' }, null] }),
      said({ content: [{ text: 'lo' }] }),
      stop,
    ),
  ],
  ['with a number as content', events(said({ content: 'Hello' }), said({ content: '' }), stop)],
  ['with a prototype', events(hello, '{"choices":[],"\\u005f_proto__":{"a":1}}', stop)],
  ['that is not a stream', bare({ message: { role: 'assistant', content: 'Hello' }, finish_reason: 'stop' })],
  [
    'that is not a stream, without a finish reason',
    bare({ message: { content: 'Hello' } }),
    { finish: ['stop', undefined] },
  ],
  [
    'that is not a stream, in many lines',
    JSON.stringify(
      { ...about, choices: [{ message: { content: 'Hello' }, finish_reason: 'stop' }], usage },
      null,
      2,
    ),
    { usage: [9, 8] },
  ],
  [
    'that is one event with a message',
    events({ ...about, choices: [{ message: { content: 'Hello' }, finish_reason: 'stop' }] }),
  ],
  ['in lines of JSON', lines(said({ content: 'Hel' }), said({ content: 'lo' }), stop)],
  [
    'of Ollama itself',
    lines(
      ofOllama({ content: 'Hel' }),
      ofOllama({ content: 'lo' }),
      ofOllama({ content: '' }, { done: true, done_reason: 'stop', prompt_eval_count: 9, eval_count: 8 }),
    ),
    { usage: [9, 8] },
  ],
  ['of Ollama itself, not streamed', json(ofOllama({ content: 'Hello' }, { done: true })), {}],
  [
    'of Ollama’s generate',
    lines(
      { model: 'm-1', response: 'Hello', done: false },
      { response: '', done: true, done_reason: 'length' },
    ),
    { finish: ['length', 'length'] },
  ],
  ['without blanks behind the colons', events(hello, stop, '[DONE]').replaceAll('data: ', 'data:')],
  ['without blank lines', events(hello, stop, '[DONE]').replaceAll('\n\n', '\n')],
  ['without the last blank line', events(hello, stop).trimEnd()],
  ['with CRLF', events(hello, stop).replaceAll('\n', '\r\n')],
  ['with CR', events(hello, stop).replaceAll('\n', '\r')],
  ['with a mark of byte order', `\uFEFF${events(hello, stop)}`],
  [
    'with comments, names, ids and retries',
    `: OPENROUTER PROCESSING\n\nevent: message\nid: 3\nretry: 9\n${events(hello)}what\n: ping\n\n${events(stop)}`,
  ],
  [
    'with an event in several lines',
    `data: {"model":"m-1","choices":[{"delta":\ndata: {"content":"Hello"}}]}\n\n${events(stop)}`,
  ],
] as [string, string, object?][])(
  'an answer %s is read, whole and byte by byte',
  async (_name, text, more = {}) => {
    const expected = {
      text: 'Hello',
      thought: '',
      calls: [],
      finish: ['stop', 'stop'],
      usage: [undefined, undefined],
      model: 'm-1',
      failed: null,
      ...more,
    }
    expect(await byReader(cut(text, []))).toMatchObject(expected)
    expect(await byReader(inBytes(text))).toMatchObject(expected)
  },
)

verifies.each('llm.complete.result')([
  ['reasoning_content', events(said({ reasoning_content: 'hm' }), hello, stop)],
  ['reasoning', events(said({ reasoning: 'hm', content: '' }), hello, stop)],
  [
    'reasoning and its details',
    events(
      said({ reasoning: 'hm', reasoning_details: [{ type: 'reasoning.text', text: 'hm' }] }),
      hello,
      stop,
    ),
  ],
  [
    'details alone',
    events(
      said({
        reasoning_details: [
          { type: 'reasoning.text', text: 'h' },
          { type: 'reasoning.encrypted', data: 'x' },
          { type: 'reasoning.summary', summary: 'm' },
        ],
      }),
      hello,
      stop,
    ),
  ],
  ['both names with the same text', events(said({ reasoning: 'hm', reasoning_content: 'hm' }), hello, stop)],
  [
    'thinking of Ollama',
    lines(ofOllama({ thinking: 'hm', content: '' }), ofOllama({ content: 'Hello' }, { done: true })),
  ],
  [
    'parts of Mistral',
    events(said({ content: [{ type: 'thinking', thinking: [{ type: 'text', text: 'hm' }] }] }), hello, stop),
  ],
  [
    'a part that is a text',
    events(
      said({
        content: [
          { type: 'thinking', thinking: 'hm' },
          { type: 'text', text: 'Hello' },
        ],
      }),
      stop,
    ),
  ],
  [
    'a whole message',
    bare({ message: { content: 'Hello', reasoning_content: 'hm' }, finish_reason: 'stop' }),
  ],
])('what a server says is thought is not in the text: %s', async (_name, text) => {
  expect(await byReader(cut(text, []))).toMatchObject({ text: 'Hello', thought: 'hm', failed: null })
})

verifies.each('decision.model.failures')([
  ['nothing', '', 'malformed'],
  ['a page', '<!doctype html><title>no</title>', 'malformed'],
  ['other JSON', '{"ok":true}', 'malformed'],
  ['no end', events(hello), 'unfinished'],
  [
    'the form of another protocol',
    'event: message_start\ndata: {"message":{"content":[]}}\n\nevent: message_stop\ndata: {}\n\n',
    'unfinished',
  ],
  ['an end in an event', `${events(hello)}data: {"choices":[{"del`, 'unfinished'],
  ['an end in JSON without a stream', '{"choices":[{"message":{"content":"Hel', 'unfinished'],
  ['an event that is not JSON', events(hello, '{"choices"', stop), 'malformed'],
  ['an error', events(hello, { error: { message: 'no', type: 'x', code: null } }), 'broken'],
  ['an error that is a text', events({ error: 'model runner has stopped' }), 'broken'],
  ['an error beside choices', events({ ...hello, error: { message: 'no', statusCode: 400 } }), 'broken'],
  [
    'an error in a choice',
    events({ choices: [{ delta: {}, finish_reason: 'error', error: { code: 502, message: 'no' } }] }),
    'broken',
  ],
  ['a detail of FastAPI', events({ detail: 'no' }), 'broken'],
  ['an event of the name error', `event: error\ndata: {"message":"no"}\n\n`, 'broken'],
  ['such an event that is a text', `event: error\ndata: no\n\n`, 'broken'],
  ['a line without a field', `${events(hello)}{"error":{"message":"no"}}\n\n`, 'broken'],
  ['an error that is not a stream', json({ error: { message: 'no' } }), 'broken'],
  [
    'an error of vLLM',
    json({ object: 'error', message: 'no', type: 'BadRequestError', code: 400 }),
    'refused',
  ],
  [
    'an error in a list',
    json([{ error: { code: 429, message: 'no', status: 'RESOURCE_EXHAUSTED' } }]),
    'busy',
  ],
  ['a limit', events({ error: { message: 'no', type: 'requests', code: 'rate_limit_exceeded' } }), 'busy'],
  ['no money', events({ error: { message: 'no', code: 'insufficient_quota' } }), 'closed'],
  [
    'a server that has too much to do',
    events({ type: 'error', error: { type: 'overloaded_error', message: 'no' } }),
    'broken',
  ],
])('%s in the place of an answer, or in it, is told', async (_name, text, reason) => {
  expect((await byReader(cut(text, []))).failed).toBe(reason)
})

verifies.each('decision.model.end')([
  ['a finish reason', events(hello, stop)],
  ['[DONE]', events(hello, '[DONE]')],
  ['both, with usage', events(hello, stop, { ...about, choices: [], usage }, '[DONE]')],
])('an answer is over after %s, though its connection stays open', async (_name, text) => {
  expect(await byReader(cut(text, [0.5]), true)).toMatchObject({ text: 'Hello', failed: null })
})

verifies('decision.model.end', 'an answer without either waits for more', async () => {
  const waiting = byReader(cut(events(hello), []), true)
  expect(await Promise.race([waiting, Promise.resolve('waits')])).toBe('waits')
})

verifies.each('decision.model.times')([
  ['a comment', ': OPENROUTER PROCESSING\n\n'],
  ['a delta in which is nothing', events(said({ content: '' }))],
])('%s is life', async (_name, text) => {
  const { parts } = await byReader([...cut(text, []), ...cut(text, []), ...cut(events(hello, stop), [])])
  expect(parts.filter(({ type }) => type === 'ping').length).toBeGreaterThan(0)
})

verifies(
  'llm.complete.result',
  'whatever a server sends, and however it is cut, reads the same',
  async () => {
    const value = fc.oneof(
      fc.constantFrom(
        stop,
        hello,
        { choices: [], usage },
        { error: null },
        '[DONE]',
        '{"error":{"message":"no"}}',
      ),
      fc
        .record(
          {
            content: fc.oneof(fc.string({ unit: 'binary', maxLength: 6 }), fc.jsonValue()),
            tool_calls: fc.jsonValue(),
            reasoning: fc.jsonValue(),
          },
          { requiredKeys: [] },
        )
        .map((delta) => said(delta)),
      fc.json({ maxDepth: 3 }),
    )
    const end = fc.constantFrom('\n\n', '\r\n\r\n', '\n', '\n\n: ping\n\n', '\r\r', '')
    const field = fc.constantFrom('data: ', 'data:', '', 'event: x\ndata: ')
    const answers = fc.array(fc.tuple(field, value, end), { maxLength: 8 })
    const shares = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 6 })
    await fc.assert(
      fc.asyncProperty(answers, shares, async (answer, cuts) => {
        const text = answer
          .map(([name, data, ends]) => `${name}${typeof data === 'string' ? data : json(data)}${ends}`)
          .join('')
        const withoutParts = async (pieces: Uint8Array[]) => ({
          ...(await byReader(pieces)),
          parts: null,
          ids: null,
        })
        expect(await withoutParts(cut(text, cuts))).toEqual(await withoutParts(cut(text, [])))
      }),
      { numRuns: rounds(200) },
    )
  },
)
