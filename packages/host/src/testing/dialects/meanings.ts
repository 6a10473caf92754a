import type { Dialect } from './dialect.ts'
import { json, type Reply, refuses, says } from './reply.ts'

const wrongly = (servers: string, does: string, reply: Reply, details: object, we: string): Dialect => ({
  servers,
  does,
  we,
  script: () => reply,
  play: (user) => user.complete('hi'),
  gets: { details },
})
const closed = { reason: 'closed', retriable: false }
const OPERATOR = 'tell that only the operator can help; the log says how'

/** What servers tell in words, with a status or a form that says something else. */
export const meanings: readonly Dialect[] = [
  wrongly(
    'OpenRouter, Mistral, DeepSeek',
    'does not know the model: 400',
    refuses('Model Not Exist'),
    closed,
    OPERATOR,
  ),
  wrongly(
    'xAI, Gemini',
    'does not know the key: 400',
    json({ code: 'invalid argument', error: 'Incorrect API key provided: xx.' }, 400),
    closed,
    OPERATOR,
  ),
  wrongly(
    'Anthropic, Qwen',
    'wants money: 400',
    refuses('Your credit balance is too low to access the API.'),
    closed,
    OPERATOR,
  ),
  wrongly(
    'MiniMax',
    'refuses with status 200 and `base_resp`',
    json({ base_resp: { status_code: 1004, status_msg: 'login fail' } }),
    closed,
    OPERATOR,
  ),
  wrongly(
    'xAI, OpenRouter',
    'stops the request by its filter: 403',
    json({ error: 'Content violates usage guidelines.' }, 403),
    { reason: 'refused', stop_reason: 'content_filter' },
    'say so in `details.stop_reason`',
  ),
  wrongly(
    'OpenAI, Groq, Azure, Gemini',
    'says in its words alone when to ask again',
    refuses('Rate limit reached. Please try again in 7m12s.', {}, 429),
    { reason: 'busy', retry_after_ms: 432_000 },
    'tell the app when to try again',
  ),
  wrongly(
    'Hugging Face',
    'says in `estimated_time` when the model is loaded: 503',
    json({ error: 'The model is loading', estimated_time: 20.5 }, 503),
    { reason: 'broken', retry_after_ms: 20_500 },
    'tell the app when to try again',
  ),
  wrongly(
    'OpenRouter',
    'has the headers of a limit in `metadata`',
    json({ error: { message: 'no', metadata: { headers: { 'Retry-After': 30 } } } }, 429),
    { reason: 'busy', retry_after_ms: 30_000 },
    'tell the app when to try again',
  ),
  {
    servers: 'Groq',
    does: 'refuses a call of its own model: 400 with `tool_use_failed`',
    we: 'ask again',
    script: (_body, at) =>
      at === 0 ? refuses('Failed to call a function.', { code: 'tool_use_failed' }) : says(),
    asked: 2,
  },
]
