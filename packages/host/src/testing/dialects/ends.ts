import type { Dialect } from './dialect.ts'
import { always, chunk, events, says } from './reply.ts'

const hello = chunk({ content: 'Hello' })
const stop = chunk({}, 'stop')

/** How servers end an answer. */
export const ends: readonly Dialect[] = [
  {
    servers: 'OpenAI',
    does: 'ends an answer with a finish reason and `[DONE]`',
    we: 'take the text',
    script: always(says('Hello')),
  },
  {
    servers: 'vLLM, LiteLLM',
    does: 'ends with `[DONE]` without a finish reason',
    we: 'take the answer as whole',
    script: always(events(hello, '[DONE]')),
  },
  {
    servers: 'llama.cpp, TGI',
    does: 'ends with a finish reason, without `[DONE]`',
    we: 'take the answer as whole',
    script: always(events(hello, stop)),
  },
  {
    servers: 'LM Studio, proxies',
    does: 'leaves the connection open after `[DONE]`',
    we: 'take the answer as whole after a second',
    script: always({ ...events(hello, stop, '[DONE]'), last: 'hang' }),
  },
  {
    servers: 'Ollama, proxies',
    does: 'leaves the connection open after the finish reason',
    we: 'take the answer as whole after a second',
    script: always({ ...events(hello, stop), last: 'hang' }),
  },
  {
    servers: 'nginx, Cloudflare',
    does: 'cuts the connection after the end of the answer',
    we: 'take the answer as whole',
    script: always({ ...events(hello, stop), last: 'cut' }),
  },
  {
    servers: 'any',
    does: 'closes the connection in the middle of an answer',
    we: 'keep the text and tell that the answer was cut',
    script: always(events(hello)),
    gets: { text: 'Hello', code: 'internal_error', details: { retriable: true } },
  },
  {
    servers: 'any, most of all small models',
    does: 'ends without a text or a call',
    we: 'give an empty text, leave nothing in the history, and go on with the next turn',
    script: (_body, at) => (at === 0 ? events(stop, '[DONE]') : says()),
    play: async (user) => [
      await user.say(),
      await user.say(),
      (await user.history()).map(({ role }) => role),
    ],
    gets: [{ text: '' }, { text: 'Hello' }, ['user', 'user', 'assistant']],
    asked: 2,
  },
]
