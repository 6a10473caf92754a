import type { Dialect } from './dialect.ts'
import { logged } from './logged.ts'
import { always, json, once, type Reply, refuses, says } from './reply.ts'

const page = (status = 200): Reply => ({
  status,
  headers: { 'content-type': 'text/html' },
  pieces: ['<!doctype html><title>Sign in</title>'],
})

const KEY = 'sk-proj-1234567890'
const withKey = { SVC_LLM_API_KEY: KEY }

const closed = (status: number, fix: string, more: object = {}) => ({
  code: 'internal_error',
  details: { reason: 'closed', retriable: false, status },
  fix,
  address: 'http://127.0.0.1/v1/chat/completions',
  ...more,
})

const KEY_FIX = 'The server does not accept the key, or there is none: correct SVC_LLM_API_KEY.'
const MODEL_FIX = 'The server has no model "m-1": pull or deploy it there, or correct SVC_LLM_MODEL.'
const ADDRESS_FIX =
  'Nothing answers chats at this address: correct SVC_LLM_BASE_URL, which ends with /v1 for most servers.'
const PAGE_FIX =
  'A web page came instead of an answer, as of a sign-in or a proxy: correct SVC_LLM_BASE_URL, or let the host past it.'
const MONEY_FIX = 'The account of the key has no credit or quota left: raise it at the provider.'
const RIGHTS_FIX =
  'The key may not use this model, or not from here: correct SVC_LLM_API_KEY or SVC_LLM_MODEL.'

/** What servers tell of a request that they do not take. */
export const refusals: readonly Dialect[] = [
  {
    servers: 'OpenAI',
    does: 'does not know the key, and repeats it: 401',
    we: 'give up at once; the log says what to correct, without the key',
    script: always(refuses(`Incorrect API key provided: ${KEY}`, { code: 'invalid_api_key' }, 401)),
    environment: withKey,
    play: logged,
    gets: closed(401, KEY_FIX, { said: 'Incorrect API key provided: […]' }),
  },
  {
    servers: 'OpenAI',
    does: 'repeats the key with stars: 401',
    we: 'leave that out of the log too',
    script: always(refuses('Incorrect API key provided: sk-pr**7890.', { code: 'invalid_api_key' }, 401)),
    environment: withKey,
    play: logged,
    gets: closed(401, KEY_FIX, { said: 'Incorrect API key provided: […]' }),
  },
  {
    servers: 'Gemini',
    does: 'does not know the key: 400 with `API_KEY_INVALID`',
    we: 'tell it as a wrong key',
    script: always(
      json(
        [
          {
            error: {
              code: 400,
              message: 'no',
              status: 'INVALID_ARGUMENT',
              details: [{ reason: 'API_KEY_INVALID' }],
            },
          },
        ],
        400,
      ),
    ),
    play: logged,
    gets: closed(400, KEY_FIX),
  },
  {
    servers: 'OpenRouter, DeepSeek',
    does: 'wants money: 402',
    we: 'say so in the log',
    script: always(refuses('Insufficient credits', { code: 402 }, 402)),
    play: logged,
    gets: closed(402, MONEY_FIX),
  },
  {
    servers: 'OpenAI',
    does: 'says 429 where the account has no credit left',
    we: 'give up at once, for no wait helps',
    script: always(refuses('You exceeded your current quota', { code: 'insufficient_quota' }, 429)),
    play: logged,
    gets: closed(429, MONEY_FIX),
  },
  {
    servers: 'OpenAI, Anthropic',
    does: 'does not let the key use the model: 403',
    we: 'say so in the log',
    script: always(refuses('no access to m-1', { type: 'permission_error' }, 403)),
    play: logged,
    gets: closed(403, RIGHTS_FIX),
  },
  {
    servers: 'Ollama',
    does: 'has not pulled the model: 404',
    we: 'name the model in the log',
    script: always(refuses('model "m-1" not found, try pulling it first', { type: 'api_error' }, 404)),
    play: logged,
    gets: closed(404, MODEL_FIX),
  },
  {
    servers: 'Azure OpenAI',
    does: 'has no such deployment: 404',
    we: 'name the model in the log',
    script: always(
      refuses('The API deployment for this resource does not exist.', { code: 'DeploymentNotFound' }, 404),
    ),
    play: logged,
    gets: closed(404, MODEL_FIX),
  },
  {
    servers: 'vLLM, FastAPI servers',
    does: 'has nothing at the path: 404 with `{"detail":"Not Found"}`',
    we: 'say that the base URL is wrong',
    script: always(json({ detail: 'Not Found' }, 404)),
    play: logged,
    gets: closed(404, ADDRESS_FIX, { said: 'Not Found' }),
  },
  {
    servers: 'nginx',
    does: 'takes no POST there: 405',
    we: 'say that the base URL is wrong',
    script: always({ status: 405, pieces: ['Method Not Allowed'] }),
    play: logged,
    gets: closed(405, ADDRESS_FIX),
  },
  {
    servers: 'Ollama, vLLM, llama.cpp, LM Studio',
    does: 'has its protocol under `/v1`, and the base URL does not',
    we: 'try `/v1` once, and stay there',
    script: once({ status: 404, pieces: ['404 page not found'] }),
    environment: (url) => ({ SVC_LLM_BASE_URL: new URL(url).origin }),
    play: async (user) => [await user.complete('hi'), await user.complete('hi')],
    gets: [{ text: 'Hello' }, { text: 'Hello' }],
    asked: 3,
  },
  {
    servers: 'OpenAI',
    does: 'has its protocol under `/v1`, and does not know the key there',
    we: 'tell of the key, not of the path',
    script: (_body, _at, { path }) =>
      path.startsWith('/v1/')
        ? refuses('no', { code: 'invalid_api_key' }, 401)
        : { status: 404, pieces: ['404 page not found'] },
    environment: (url) => ({ SVC_LLM_BASE_URL: new URL(url).origin }),
    play: logged,
    gets: closed(401, KEY_FIX),
    asked: 2,
  },
  {
    servers: 'Azure OpenAI',
    does: 'wants `?api-version=` behind the path, and the key in `api-key`',
    we: 'keep the query and send that header',
    script: (_body, _at, { path, headers }) =>
      path === '/v1/chat/completions?api-version=2024-10-21' &&
      headers['api-key'] === KEY &&
      !headers.authorization
        ? says()
        : refuses('no', {}, 401),
    environment: (url) => ({ SVC_LLM_BASE_URL: `${url}?api-version=2024-10-21`, ...withKey }),
  },
  {
    servers: 'sign-ins of companies',
    does: 'answers with a web page',
    we: 'tell that this is not an answer; the log says why',
    script: always(page()),
    play: logged,
    gets: { code: 'internal_error', details: { reason: 'malformed', retriable: false }, fix: PAGE_FIX },
  },
  {
    servers: 'proxies',
    does: 'refuses with a web page: 403',
    we: 'say in the log that it is one',
    script: always(page(403)),
    play: logged,
    gets: closed(403, PAGE_FIX, { said: undefined }),
  },
  {
    servers: 'Azure OpenAI',
    does: 'stops the request by its filter: 400 with `content_filter`',
    we: 'say so in `details.stop_reason`',
    script: always(
      refuses('The response was filtered', {
        code: 'content_filter',
        innererror: { code: 'ResponsibleAIPolicyViolation', content_filter_result: {} },
      }),
    ),
    play: async (user) => [await user.complete('hi'), await user.say()],
    gets: [
      { code: 'invalid_arg', details: { reason: 'refused', stop_reason: 'content_filter' } },
      { code: 'invalid_arg', details: { reason: 'refused', stop_reason: 'content_filter' } },
    ],
    asked: 2,
  },
  {
    servers: 'nginx',
    does: 'takes no body of that size: 413',
    we: 'refuse the request',
    script: always(page(413)),
    gets: { code: 'invalid_arg' },
  },
]
