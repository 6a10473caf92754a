import type { Dialect } from './dialect.ts'
import { logged } from './logged.ts'
import { always, json, once, type Reply, refuses } from './reply.ts'

const having = (headers: Readonly<Record<string, string>>, reply: Reply): Reply => ({
  ...reply,
  headers: { ...reply.headers, ...headers },
})
const limited = refuses('Rate limit reached for m-1', { type: 'requests', code: 'rate_limit_exceeded' }, 429)
const busy = (more: object) => ({
  code: 'internal_error',
  details: { reason: 'busy', retriable: true, status: 429, ...more },
})
const BROKEN_FIX =
  'See to the log of the server: it may be loading the model, be overloaded, or be out of memory.'

/** What servers tell that have too much to do, or not enough room. */
export const overloads: readonly Dialect[] = [
  {
    servers: 'OpenAI, Groq',
    does: 'limits requests: 429 with `retry-after` in seconds, a long time',
    we: 'give up at once, and tell the app when to try again',
    script: always(having({ 'retry-after': '42' }, limited)),
    play: (user) => user.complete('hi'),
    gets: busy({ retry_after_ms: 42_000, hint: 'Try again in 42 s.', provider_code: 'rate_limit_exceeded' }),
  },
  {
    servers: 'OpenAI, Groq',
    does: 'limits requests: 429 with `retry-after`, a short time',
    we: 'wait and ask again',
    script: once(having({ 'retry-after': '0.02' }, limited)),
    asked: 2,
  },
  {
    servers: 'Azure OpenAI',
    does: 'limits requests: 429 with `retry-after-ms`',
    we: 'wait and ask again',
    script: once(having({ 'retry-after-ms': '20', 'retry-after': '60' }, limited)),
    asked: 2,
  },
  {
    servers: 'proxies',
    does: 'limits requests with a date in `retry-after`',
    we: 'count from the date of the answer',
    script: always(
      having(
        { date: 'Sun, 06 Nov 1994 08:49:37 GMT', 'retry-after': 'Sun, 06 Nov 1994 08:50:07 GMT' },
        limited,
      ),
    ),
    play: (user) => user.complete('hi'),
    gets: busy({ retry_after_ms: 30_000 }),
  },
  {
    servers: 'OpenAI, Groq, Cerebras',
    does: 'limits requests, and says in `x-ratelimit-reset-*` when there is room',
    we: 'tell the app when to try again',
    script: always(
      having({ 'x-ratelimit-remaining-tokens': '0', 'x-ratelimit-reset-tokens': '6m0s' }, limited),
    ),
    play: (user) => user.complete('hi'),
    gets: busy({ retry_after_ms: 360_000 }),
  },
  {
    servers: 'Gemini',
    does: 'limits requests, and says in `retryDelay` when there is room',
    we: 'tell the app when to try again',
    script: always(
      json(
        {
          error: { code: 429, message: 'no', status: 'RESOURCE_EXHAUSTED', details: [{ retryDelay: '34s' }] },
        },
        429,
      ),
    ),
    play: (user) => user.complete('hi'),
    gets: busy({ retry_after_ms: 34_000 }),
  },
  {
    servers: 'any',
    does: 'limits requests without a time',
    we: 'ask twice more, and tell that it may pass',
    script: always(limited),
    play: (user) => user.complete('hi'),
    gets: busy({ reason: 'busy' }),
    asked: 3,
  },
  {
    servers: 'llama.cpp, HF',
    does: 'is loading the model: 503',
    we: 'ask again',
    script: once(refuses('Loading model', { type: 'unavailable_error', code: 503 }, 503)),
    asked: 2,
  },
  {
    servers: 'Anthropic',
    does: 'has too much to do: 529',
    we: 'ask again',
    script: once(refuses('Overloaded', { type: 'overloaded_error' }, 529)),
    asked: 2,
  },
  {
    servers: 'vLLM, Ollama',
    does: 'is out of memory: 500',
    we: 'ask twice more; the log points to that of the server',
    script: always(refuses('CUDA out of memory', { type: 'server_error' }, 500)),
    play: logged,
    gets: {
      code: 'internal_error',
      details: { reason: 'broken', retriable: true },
      fix: BROKEN_FIX,
      said: 'CUDA out of memory',
    },
    asked: 3,
  },
]
