import type { Dialect } from './dialect.ts'
import { logged } from './logged.ts'
import { always, chunk, events, json, once, text } from './reply.ts'

const ADDRESS_FIX =
  'Nothing answers chats at this address: correct SVC_LLM_BASE_URL, which ends with /v1 for most servers.'

/** Errors that servers tell with status 200. */
export const errorsInside: readonly Dialect[] = [
  {
    servers: 'OpenRouter, vLLM',
    does: 'tells of an error inside of the answer, with a code',
    we: 'keep the text, and tell the code',
    script: always(
      events(chunk({ content: 'Hel' }), {
        error: { code: 502, message: 'Provider returned error', type: 'upstream' },
      }),
    ),
    gets: { text: 'Hel', code: 'internal_error', details: { retriable: true, provider_code: 'upstream' } },
  },
  {
    servers: 'Groq, LiteLLM',
    does: 'tells of a limit inside of the answer, before its first token',
    we: 'ask again',
    script: once(events({ error: { message: 'slow down', code: 'rate_limit_exceeded' } })),
    asked: 2,
  },
  {
    servers: 'Ollama',
    does: 'tells of an error with status 200: `{"error":"…"}`',
    we: 'tell that it failed',
    script: always(json({ error: 'llama runner process has terminated' })),
    play: logged,
    gets: {
      code: 'internal_error',
      details: { reason: 'broken' },
      said: 'llama runner process has terminated',
    },
    asked: 3,
  },
  {
    servers: 'LM Studio',
    does: 'answers status 200 to a path that it does not have, with an error in words',
    we: 'say that the base URL is wrong',
    script: always(json({ error: 'Unexpected endpoint or method. (POST /chat/completions)' })),
    play: logged,
    gets: { code: 'internal_error', details: { reason: 'closed', retriable: false }, fix: ADDRESS_FIX },
  },
  {
    servers: 'SGLang, FastAPI servers',
    does: 'tells of an error in an event of that name',
    we: 'tell that it failed',
    script: always(text('event: error\ndata: {"detail":"no more room"}\n\n')),
    play: logged,
    gets: { code: 'internal_error', details: { reason: 'broken' }, said: 'no more room' },
    asked: 3,
  },
]
