import type { Dialect } from './dialect.ts'
import { calls, chunk, events, json, type Reply, refuses, type SentMessage, says, unless } from './reply.ts'
import { alternate, both, cancelled, has, kept, said, takesTurns, tools, twice } from './rows.ts'

/** A server that takes no system message, in its words. */
const systemless = (servers: string, words: string, refusal: Reply): Dialect => ({
  servers,
  does: `has no role \`system\`: ${words}`,
  we: 'put the system prompt before the first question',
  prompt: 'Be brief.',
  script: unless(
    (body) => !has(body, 'system') && String(body.messages[0]?.content).startsWith('Be brief.'),
    refusal,
  ),
  play: twice,
  gets: both,
  asked: 3,
})

/** A server that calls a tool and wants each call of before in a form that the history does not keep. */
const wants = (
  servers: string,
  does: string,
  we: string,
  isIn: (message: SentMessage) => boolean,
  words: string,
): Dialect => ({
  servers,
  does,
  we,
  tools: tools(),
  script: (body, at) => {
    if (body.messages.some((message) => message.tool_calls && !isIn(message))) return refuses(words)
    return at === 0 ? calls('probe') : says()
  },
  play: twice,
  gets: both,
  asked: 4,
})

/** What servers refuse of the roles of a conversation, and of their order. */
export const roles: readonly Dialect[] = [
  kept(
    'Mistral, Gemma, Llama 2',
    'refuses two messages of one role, as after a cancelled run',
    'send the two questions as one',
    {
      script: (body, at) => (at === 0 ? { last: 'hang' } : takesTurns(body) ? says() : refuses(alternate)),
      ...cancelled,
      gets: [{ text: '' }, { text: 'Hello' }],
      asked: 2,
    },
  ),
  kept(
    'Mistral, Gemma, Llama 2',
    'refuses two messages of one role, as after a run that failed',
    'send the two questions as one',
    {
      script: (body, at) =>
        at === 0 ? refuses('no', {}, 401) : takesTurns(body) ? says() : refuses(alternate),
      play: twice,
      gets: [{ code: 'internal_error' }, { text: 'Hello' }],
      asked: 2,
    },
  ),
  kept(
    'Mistral, Gemma, Llama 2',
    'refuses two messages of one role, as after an answer that is empty',
    'send the two questions as one',
    {
      script: (body, at) => (at === 0 ? says('') : takesTurns(body) ? says() : refuses(alternate)),
      play: async (user) => [await user.say(), await user.say('again')],
      gets: [{}, { text: 'Hello' }],
      asked: 2,
    },
  ),
  kept(
    'Mistral',
    'refuses a question behind the result of a tool, as after a run that was cut there',
    'send a short answer between them',
    {
      tools: tools(),
      script: (body, at) => {
        const bad = body.messages.some(
          ({ role }, nth, all) => role === 'user' && all[nth - 1]?.role === 'tool',
        )
        if (bad) return refuses("Unexpected role 'user' after role 'tool'")
        return at === 0 ? calls('probe') : at === 1 ? refuses('no', {}, 401) : says()
      },
      play: twice,
      gets: [{ code: 'internal_error' }, { text: 'Hello' }],
      asked: 3,
    },
  ),
  {
    servers: 'all',
    does: 'refuses a question, as by its filter, and each conversation that has it',
    we: 'leave the question out of the next turn',
    script: ({ messages }) =>
      JSON.stringify(messages).includes('bad') ? refuses('no', { code: 'content_filter' }) : says(),
    play: async (user) => [await user.say('bad'), await user.say('hi')],
    gets: [{ code: 'invalid_arg' }, { text: 'Hello' }],
    asked: 3,
  },
  wants(
    'DeepSeek',
    'wants back what it thought before it called a tool',
    'send a sentence where it was not kept',
    (message) => Boolean(Reflect.get(message, 'reasoning_content')),
    'The `reasoning_content` in the thinking mode must be passed back to the API.',
  ),
  wants(
    'Gemini',
    'wants back its signature of a call',
    'send the one that stands for any where it was not kept',
    (message) => JSON.stringify(message).includes('"thought_signature":"'),
    'Function call is missing a thought_signature in functionCall parts.',
  ),
  {
    servers: 'Llama 3.2',
    does: 'refuses two calls in one message',
    we: 'tell of calls and results in words',
    tools: tools(),
    script: ({ messages }, at) => {
      if (messages.some(({ tool_calls = [] }) => tool_calls.length > 1))
        return refuses('This model only supports single tool-calls at once!')
      const both = ['a', 'b'].map((id, index) => ({
        index,
        id,
        function: { name: 'probe', arguments: '{}' },
      }))
      return at === 0 ? events(chunk({ tool_calls: both }, 'tool_calls')) : says()
    },
    asked: 3,
  },
  systemless(
    'Gemma, Mistral',
    '"System role not supported"',
    json({ error: { code: 500, message: 'System role not supported', type: 'server_error' } }, 500),
  ),
  systemless(
    'OpenAI o1-mini',
    '"does not support \'system\'"',
    refuses("Unsupported value: 'messages[0].role' does not support 'system' with this model.", {
      param: 'messages[0].role',
      code: 'unsupported_value',
    }),
  ),
  systemless(
    'Gemma at Gemini',
    '"Developer instruction is not enabled"',
    json(
      [
        {
          error: {
            code: 400,
            message: 'Developer instruction is not enabled for models/gemma-3-27b-it',
            status: 'INVALID_ARGUMENT',
          },
        },
      ],
      400,
    ),
  ),
  systemless(
    'Mistral with vLLM',
    '"roles must alternate"',
    json({ object: 'error', message: alternate, type: 'BadRequestError', code: 400 }, 400),
  ),
  systemless(
    'Llama 2',
    '"Only user and assistant roles"',
    refuses('Only user and assistant roles are supported!'),
  ),
  {
    servers: 'Gemma, Phi',
    does: 'has no role `tool`, but takes tools',
    we: 'tell of calls and results in words',
    tools: tools(),
    script: (body) => {
      if (has(body, 'tool')) return refuses(alternate)
      return /The result of probe/.test(String(body.messages.at(-1)?.content)) ? says() : calls('probe')
    },
    asked: 3,
  },
  {
    servers: 'Mistral',
    does: 'wants a question as the last message',
    we: 'add "Go on." to a list of messages that ends with an answer',
    script: unless(
      ({ messages }) => messages.at(-1)?.role === 'user',
      refuses(
        'Expected last role User or Tool (or Assistant with prefix True) for serving but got assistant',
      ),
    ),
    play: (user) => user.complete('Say hi', 'Hi'),
    asked: 2,
  },
  {
    servers: 'Anthropic from Claude 4.6 on',
    does: 'refuses an answer that is begun for it',
    we: 'add "Go on."',
    script: unless(
      ({ messages }) => messages.at(-1)?.role === 'user',
      refuses(
        'This model does not support assistant message prefill. The conversation must end with a user message.',
      ),
    ),
    play: (user) => user.complete('Say hi', 'Hi'),
    asked: 2,
  },
  {
    servers: 'Anthropic, Gemma',
    does: 'wants a question as the first message',
    we: 'put one before the answer',
    script: unless(
      (body) => said(body)[0]?.role === 'user',
      refuses('messages: first message must use the "user" role'),
    ),
    play: (user) => user.complete('', 'Hi', 'Say hi'),
    asked: 2,
  },
]
