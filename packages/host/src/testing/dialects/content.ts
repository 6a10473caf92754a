import { openFakeTool } from '../fake-tool.ts'
import type { Dialect } from './dialect.ts'
import { calls, callsThenSays, json, type Reply, refuses, type SentBody, says, unless } from './reply.ts'
import { both, every, has, kept, tools, twice } from './rows.ts'

/** A server that sees no images, in its words. */
const blind = (servers: string, refusal: Reply): Dialect => ({
  servers,
  does: 'has a model that sees no images',
  we: 'tell the user so, and ask without images where a tool gave them',
  script: unless((body) => every(body, ({ content }) => typeof content === 'string'), refusal),
  play: async (user) => [await user.say('look', { image: true }), await user.say('hi')],
  gets: [{ code: 'APP_MODEL_NOT_VISION_CAPABLE' }, { text: 'Hello' }],
  asked: 2,
})

const PIXELS = 'iVBORw0KGgoAAAANSUhEUg'
/** A tool that returns an image, as those of MCP do. */
const shot = openFakeTool('shot', () => ({
  output: { content: [{ type: 'image', data: PIXELS, mimeType: 'image/png' }] },
}))
/** Whether an image is shown, and its bytes are in no text. */
const isShown = (body: SentBody): boolean =>
  body.messages.some(
    ({ role, content }) => role === 'user' && JSON.stringify(content).includes('"image_url"'),
  ) && every(body, ({ content }) => Array.isArray(content) || !String(content).includes(PIXELS))

/** What servers refuse of the contents of messages. */
export const content: readonly Dialect[] = [
  {
    servers: 'Ollama, older; servers in Go',
    does: 'refuses `null` as the content beside calls of tools',
    we: 'send an empty text',
    tools: tools(),
    script: unless(
      (body) => every(body, (message) => message.content !== null),
      json({ error: { message: 'invalid message content type: <nil>' } }, 400),
      callsThenSays(),
    ),
    asked: 3,
  },
  {
    servers: 'servers in Python',
    does: 'wants text as the content beside calls of tools: 422 with a `loc`',
    we: 'send an empty text',
    tools: tools(),
    script: unless(
      (body) => every(body, (message) => message.content !== null),
      json(
        {
          detail: [
            {
              type: 'string_type',
              loc: ['body', 'messages', 1, 'content'],
              msg: 'Input should be a valid string',
              input: null,
            },
          ],
        },
        422,
      ),
      callsThenSays(),
    ),
    asked: 3,
  },
  {
    servers: 'Bedrock, Anthropic',
    does: 'refuses content that is empty or `null`',
    we: 'send a sentence beside calls of tools',
    tools: tools(),
    script: unless(
      (body) => every(body, (message) => Boolean(message.content)),
      json(
        {
          message:
            'The text field in the ContentBlock object at messages.1.content.0 is blank. Add text to the text field, and try again.',
        },
        400,
      ),
      callsThenSays(),
    ),
    asked: 4,
  },
  kept('Anthropic', 'refuses texts that are empty or blank', 'send none', {
    script: (body, at) => {
      if (!every(body, (message) => String(message.content).trim() !== ''))
        return refuses('messages: text content blocks must be non-empty')
      return at === 0 ? says(' \n') : says()
    },
    play: async (user) => [await user.say('a'), await user.say('b')],
    gets: [{}, { text: 'Hello' }],
    asked: 2,
  }),
  {
    servers: 'strict gateways',
    does: 'wants content as a list of parts',
    we: 'send lists',
    script: unless(
      (body) => every(body, (message) => Array.isArray(message.content)),
      json(
        {
          detail: [
            {
              type: 'list_type',
              loc: ['body', 'messages', 0, 'content'],
              msg: 'Input should be a valid list',
            },
          ],
        },
        422,
      ),
    ),
    asked: 2,
  },
  {
    servers: 'Mistral',
    does: 'wants ids of calls with nine letters and digits',
    we: 'send such ids',
    tools: tools(),
    script: unless(
      (body) =>
        every(body, ({ tool_call_id: id, tool_calls = [] }) =>
          [...tool_calls.map((call) => call.id), id ?? 'a12345678'].every((one) =>
            /^[a-zA-Z0-9]{9}$/.test(one),
          ),
        ),
      json(
        {
          object: 'error',
          message: 'Tool call id was call_1 but must be a-z, A-Z, 0-9, with a length of 9.',
          type: 'invalid_function_call',
          code: '3280',
        },
        400,
      ),
      callsThenSays(),
    ),
    asked: 3,
  },
  blind(
    'llama.cpp',
    json(
      {
        error: {
          code: 500,
          message:
            'image input is not supported - hint: if this is unexpected, you may need to provide the mmproj',
          type: 'server_error',
        },
      },
      500,
    ),
  ),
  blind(
    'OpenRouter',
    json({ error: { message: 'No endpoints found that support image input', code: 404 } }, 404),
  ),
  blind(
    'OpenAI',
    refuses('Invalid content type. image_url is only supported by certain models.', {
      param: 'messages.[0].content.[1].type',
    }),
  ),
  blind('DeepSeek', {
    status: 422,
    pieces: [
      'Failed to deserialize the JSON body into the target type: messages[0]: unknown variant `image_url`, expected `text`',
    ],
  }),
  kept(
    'vLLM, Anthropic',
    'refuses a conversation in which a tool was called with arguments that are no object',
    'send them inside of one',
    {
      tools: tools(),
      script: (body) => {
        const isBad = body.messages.some(({ tool_calls = [] }) =>
          tool_calls.some((call) => !/^\{.*\}$/s.test(String(call.function.arguments))),
        )
        if (isBad) return refuses('Can only get item pairs from a mapping.')
        return body.messages.at(-1)?.role === 'tool' ? says() : calls('probe', '[1]')
      },
      play: twice,
      gets: both,
      asked: 4,
    },
  ),
  kept('OpenAI, vLLM', 'takes images in a message of the user alone', 'send those of a tool there', {
    tools: [shot],
    script: (body) =>
      isShown(body) ? says() : body.messages.length > 1 ? refuses('no image') : calls('shot'),
    asked: 2,
  }),
  {
    servers: 'Ollama, DeepSeek',
    does: 'sees no images, and a tool returns some',
    we: 'send a sentence in their place',
    tools: [shot],
    script: unless(
      (body) => every(body, ({ content }) => !Array.isArray(content)),
      refuses('this model does not support image input'),
      (body) =>
        has(body, 'tool')
          ? JSON.stringify(body).includes(PIXELS)
            ? refuses('bytes')
            : says()
          : calls('shot'),
    ),
    asked: 3,
  },
  kept(
    'any',
    'has a model that is not said to see images',
    'send a sentence in the place of those of a tool',
    {
      tools: [shot],
      environment: { SVC_LLM_VISION: '0' },
      script: (body) =>
        !has(body, 'tool')
          ? calls('shot')
          : JSON.stringify(body).includes(PIXELS)
            ? refuses('bytes')
            : says(),
      asked: 2,
    },
  ),
]
