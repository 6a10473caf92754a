import type { Dialect } from './dialect.ts'
import { always, chunk, events, json, lines, text } from './reply.ts'

const hello = chunk({ content: 'Hello' })
const stop = chunk({}, 'stop')
const message = (more: object = {}) => ({
  id: 'chatcmpl-1',
  model: 'm-1',
  choices: [{ index: 0, message: { role: 'assistant', content: 'Hello' }, finish_reason: 'stop', ...more }],
})

/** What servers send as an answer. */
export const answers: readonly Dialect[] = [
  {
    servers: 'Azure OpenAI',
    does: 'begins with an event without a choice that has the results of its filter',
    we: 'read on',
    script: always(events({ choices: [], prompt_filter_results: [] }, hello, stop, '[DONE]')),
  },
  {
    servers: 'OpenRouter, DeepSeek',
    does: 'sends comments while the model has not begun',
    we: 'take them for life',
    script: always(
      text(': OPENROUTER PROCESSING\n\n: OPENROUTER PROCESSING\n\n', events(hello, stop, '[DONE]')),
    ),
  },
  {
    servers: 'TGI, older vLLM',
    does: 'has no blank after `data:`',
    we: 'take the text',
    script: always(text('data:{"choices":[{"delta":{"content":"Hello"}}]}\n\ndata:[DONE]\n\n')),
  },
  {
    servers: 'ASP.NET gateways',
    does: 'ends lines with CRLF and begins with a mark of byte order',
    we: 'take the text',
    script: always(
      text('\uFEFFdata: {"choices":[{"delta":{"content":"Hello"}}]}\r\n\r\ndata: [DONE]\r\n\r\n'),
    ),
  },
  {
    servers: 'small gateways',
    does: 'has no blank line between two events',
    we: 'take each line as an event',
    script: always(
      text(
        'data: {"choices":[{"delta":{"content":"Hel"}}]}\ndata: {"choices":[{"delta":{"content":"lo"},"finish_reason":"stop"}]}\n',
      ),
    ),
  },
  {
    servers: 'LiteLLM, Bedrock proxies',
    does: 'answers whole, as JSON, though a stream was asked for',
    we: 'take the message',
    script: always(json(message())),
  },
  {
    servers: 'small gateways',
    does: 'answers whole, as JSON that is called a stream',
    we: 'take the message',
    script: always(text(JSON.stringify(message(), null, 2))),
  },
  {
    servers: 'Ollama behind a proxy',
    does: 'answers with the lines of its own protocol',
    we: 'take the text and the counts',
    script: always(
      lines(
        { model: 'm-1', message: { role: 'assistant', content: 'Hel' }, done: false },
        { message: { content: 'lo' }, done: false },
        { message: { content: '' }, done: true, done_reason: 'stop', eval_count: 2, prompt_eval_count: 3 },
      ),
    ),
  },
  {
    servers: 'Perplexity',
    does: 'repeats the whole message beside each delta',
    we: 'read the deltas alone',
    script: always(
      events(
        { choices: [{ delta: { content: 'Hel' }, message: { content: 'Hel' } }] },
        { choices: [{ delta: { content: 'lo' }, message: { content: 'Hello' }, finish_reason: 'stop' }] },
      ),
    ),
  },
  {
    servers: 'servers of old completions',
    does: 'has the text of a choice in `text`',
    we: 'take the text',
    script: always(events({ choices: [{ text: 'Hello', finish_reason: 'stop' }] })),
  },
  {
    servers: 'Groq, LocalAI, Go servers',
    does: 'writes `null` where a field may be absent: `error`, `usage`, `tool_calls`',
    we: 'take them as absent',
    script: always(
      events(
        { ...chunk({ content: 'Hello', tool_calls: null, refusal: null }), error: null, usage: null },
        { ...stop, error: null },
        '[DONE]',
      ),
    ),
  },
  {
    servers: 'KoboldCpp, small gateways',
    does: 'has other types in fields that nobody needs: `id` is a number, `created` a text',
    we: 'do not look at them',
    script: always(events({ ...hello, id: 1, created: '2026-01-01T00:00:00Z', system_fingerprint: 7 }, stop)),
  },
  {
    servers: 'older vLLM, FastChat',
    does: 'has the finish reason `""` before the end',
    we: 'read on',
    script: always(events(chunk({ content: 'Hel' }, ''), chunk({ content: 'lo' }, ''), stop, '[DONE]')),
  },
  {
    servers: 'DeepSeek, vLLM, llama.cpp',
    does: 'tells what the model thinks in `reasoning_content`',
    we: 'do not show it as the answer',
    script: always(events(chunk({ reasoning_content: 'hm' }), hello, stop)),
  },
  {
    servers: 'OpenRouter, Groq, newer vLLM',
    does: 'tells what the model thinks in `reasoning` and again in `reasoning_details`',
    we: 'do not show it as the answer',
    script: always(
      events(
        chunk({ reasoning: 'hm', reasoning_details: [{ type: 'reasoning.text', text: 'hm' }] }),
        hello,
        stop,
      ),
    ),
  },
  {
    servers: 'Mistral',
    does: 'tells what the model thinks in parts of the content',
    we: 'do not show it as the answer',
    script: always(
      events(
        chunk({ content: [{ type: 'thinking', thinking: [{ type: 'text', text: 'hm' }] }] }),
        chunk({ content: [{ type: 'text', text: 'Hello' }] }, 'stop'),
      ),
    ),
  },
  {
    servers: 'OpenAI, Azure',
    does: 'ends with `content_filter`',
    we: 'say in `details.stop_reason` that text is missing',
    script: always(events(hello, chunk({}, 'content_filter'), '[DONE]')),
    play: async (user) => [await user.complete('hi'), await user.say()],
    gets: [
      { text: 'Hello', details: { stop_reason: 'content_filter' } },
      { text: 'Hello', details: { stop_reason: 'content_filter' } },
    ],
    asked: 2,
  },
  {
    servers: 'OpenAI',
    does: 'says in `refusal` that the model will not answer',
    we: 'take it as the text, and say so in `details.stop_reason`',
    script: always(events(chunk({ refusal: 'I cannot help with that.' }), stop, '[DONE]')),
    play: async (user) => [await user.complete('hi'), await user.say()],
    gets: [
      { text: 'I cannot help with that.', details: { stop_reason: 'refusal' } },
      { text: 'I cannot help with that.', details: { stop_reason: 'refusal' } },
    ],
    asked: 2,
  },
  {
    servers: 'Gemini',
    does: 'answers with no choice, but the reason of its filter',
    we: 'say so in `details.stop_reason`',
    script: always(events({ choices: [], promptFeedback: { blockReason: 'SAFETY' } }, '[DONE]')),
    play: (user) => user.complete('hi'),
    gets: { text: '', details: { stop_reason: 'content_filter' } },
  },
  {
    servers: 'any',
    does: 'sends an event that is not JSON',
    we: 'tell that this is not a completion',
    script: always(events(hello, '{"choices":[', stop)),
    gets: { code: 'internal_error' },
  },
]
