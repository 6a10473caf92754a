import type { Dialect } from './dialect.ts'
import { json, type Reply, refuses, says, unless } from './reply.ts'
import { lacks, learnt, tools } from './rows.ts'

/** A server that does not know a field of ours, in its words. */
const refusesField = (servers: string, field: string, does: string, refusal: Reply): Dialect => ({
  servers,
  does,
  we: `leave \`${field}\` out from then on`,
  tools: tools(),
  script: unless(lacks(field), refusal),
  ...learnt,
})
const refusesOptions = (servers: string, words: string, refusal: Reply) =>
  refusesField(servers, 'stream_options', `does not know \`stream_options\`: ${words}`, refusal)

const pydantic = (loc: readonly (string | number)[]) =>
  json({ detail: [{ type: 'extra_forbidden', loc, msg: 'Extra inputs are not permitted', input: {} }] }, 422)

/** Fields of a request that servers do not know, in their words. */
export const fields: readonly Dialect[] = [
  refusesOptions(
    'Azure with an older `api-version`',
    '"Unrecognized request argument"',
    refuses('Unrecognized request argument supplied: stream_options'),
  ),
  refusesOptions('Mistral', '422 with a `loc`', pydantic(['body', 'stream_options'])),
  refusesOptions(
    'Mistral, older',
    '422 with a `detail` in a `message`',
    json(
      {
        object: 'error',
        message: {
          detail: [
            {
              type: 'extra_forbidden',
              loc: ['body', 'stream_options'],
              msg: 'Extra inputs are not permitted',
            },
          ],
        },
        type: 'invalid_request_error',
      },
      422,
    ),
  ),
  refusesOptions(
    'vLLM, older',
    'a list of Python in the text',
    json(
      {
        object: 'error',
        message:
          "[{'type': 'extra_forbidden', 'loc': ('body', 'stream_options'), 'msg': 'Extra inputs are not permitted', 'input': {'include_usage': True}}]",
        type: 'BadRequestError',
        code: 400,
      },
      400,
    ),
  ),
  refusesOptions(
    'Fireworks',
    '"field:"',
    json(
      {
        error: {
          object: 'error',
          message: "Extra inputs are not permitted, field: 'stream_options', value: {'include_usage': True}",
        },
      },
      400,
    ),
  ),
  refusesOptions(
    'Azure AI',
    '"Validation error at #/"',
    json({ error: { message: 'Validation error at #/stream_options: Extra inputs are not permitted' } }, 400),
  ),
  refusesOptions(
    'Groq, Cerebras',
    '"property is unsupported"',
    refuses("property 'stream_options' is unsupported, did you mean 'stream'?"),
  ),
  refusesOptions(
    'servers in Go',
    '"unknown field"',
    json({ error: 'json: unknown field "stream_options"' }, 400),
  ),
  refusesOptions('servers in Rust', '"Failed to deserialize"', {
    status: 422,
    headers: { 'content-type': 'text/plain' },
    pieces: [
      'Failed to deserialize the JSON body into the target type: unknown field `stream_options`, expected one of `model`, `messages` at line 1 column 90',
    ],
  }),
  refusesOptions(
    'Gemini',
    '"Unknown name"',
    json(
      [
        {
          error: {
            code: 400,
            message: 'Invalid JSON payload received. Unknown name "stream_options": Cannot find field.',
            status: 'INVALID_ARGUMENT',
          },
        },
      ],
      400,
    ),
  ),
  refusesOptions(
    'servers with JSON Schema',
    '"was unexpected"',
    json({ error: "Additional properties are not allowed ('stream_options' was unexpected)" }, 400),
  ),
  refusesOptions(
    'servers with joi',
    '"is not allowed"',
    json({ statusCode: 400, error: 'Bad Request', message: '"stream_options" is not allowed' }, 400),
  ),
  refusesOptions(
    'Bedrock',
    '"extraneous key"',
    json(
      {
        message:
          'Malformed input request: #: extraneous key [stream_options] is not permitted, please reformat your input and try again.',
      },
      400,
    ),
  ),
  refusesOptions(
    'xAI',
    'the name in another case',
    json(
      {
        code: 'Client specified an invalid argument',
        error: 'Argument not supported on this model: streamOptions',
      },
      400,
    ),
  ),
  refusesOptions(
    'proxies',
    'with the status 500',
    json(
      {
        error: {
          message: 'litellm.BadRequestError: unsupported parameter: stream_options',
          type: null,
          code: '500',
        },
      },
      500,
    ),
  ),
  refusesField(
    'DeepSeek reasoner, LiteLLM',
    'tool_choice',
    'does not take `tool_choice`',
    json(
      {
        error: {
          message:
            "litellm.UnsupportedParamsError: m does not support parameters: {'tool_choice': 'auto'}, for model=m",
        },
      },
      400,
    ),
  ),
  refusesField(
    'servers with two values alone',
    'tool_choice',
    'wants another value of `tool_choice`',
    json({ detail: [{ loc: ['body', 'tool_choice'], msg: 'Input should be a valid dictionary' }] }, 422),
  ),
  refusesField(
    'Ollama, older',
    'tool_choice',
    'says that `tool_choice` is unsupported',
    refuses('tool_choice is not supported', { param: 'tool_choice' }),
  ),
  {
    servers: 'strict gateways',
    does: 'refuses one field after the other',
    we: 'learn each with one request',
    tools: tools(),
    script: (body) => {
      const field = ['stream_options', 'tool_choice', 'max_tokens', 'max_completion_tokens'].find(
        (name) => name in body,
      )
      return field ? pydantic(['body', field]) : says()
    },
    play: async (user) => [await user.say(), await user.say()],
    gets: [{ text: 'Hello' }, { text: 'Hello' }],
    asked: 6,
  },
]
