import { openFakeTool } from '../fake-tool.ts'
import type { Dialect } from './dialect.ts'
import { calls, chunk, events, type Script, says, text } from './reply.ts'

const stop = chunk({}, 'stop')

/** Calls the tool of the row in some form, and says hello to its result. */
const callsAs =
  (...toolCalls: readonly ((name: string) => unknown)[]): Script =>
  ({ messages, tools }) =>
    messages.at(-1)?.role === 'tool'
      ? says()
      : events(
          ...toolCalls.map((call) => chunk({ tool_calls: call(tools?.[0]?.function.name ?? '') })),
          chunk({}, 'tool_calls'),
          '[DONE]',
        )
const aCall = { tools: [openFakeTool()], asked: 2 } as const

const LONG = '12345678901234567890'
const long = openFakeTool()

/** How models and servers call tools in an answer. */
export const answeredCalls: readonly Dialect[] = [
  {
    servers: 'OpenRouter, llama.cpp',
    does: 'sends comments and deltas with nothing in them before it calls a tool',
    we: 'call the tool',
    script: ({ messages, tools }) =>
      messages.at(-1)?.role === 'tool'
        ? text(': OPENROUTER PROCESSING\n\n', says())
        : text(
            ': OPENROUTER PROCESSING\n\n',
            events(
              chunk({ content: '' }),
              ': ping',
              chunk({ tool_calls: [{ index: 0, id: 'c', function: { name: tools?.[0]?.function.name } }] }),
              stop,
            ),
          ),
    ...aCall,
  },
  {
    servers: 'Ollama',
    does: 'sends the call of a tool whole, its arguments as text',
    we: 'call the tool',
    script: callsAs((name) => [{ index: 0, id: 'call_1', function: { name, arguments: '{}' } }]),
    ...aCall,
  },
  {
    servers: 'Ollama’s own protocol, Llama servers',
    does: 'sends the arguments of a call as an object, without an id',
    we: 'call the tool with the object’s text',
    script: callsAs((name) => [{ function: { name, arguments: { a: 1 } } }]),
    ...aCall,
  },
  {
    servers: 'Gemini',
    does: 'leaves out the index of calls',
    we: 'call the tool',
    script: callsAs((name) => [{ id: 'call_1', function: { name, arguments: '{}' } }]),
    ...aCall,
  },
  {
    servers: 'SGLang, older vLLM',
    does: 'sends name and id with each piece of the arguments',
    we: 'join them to one call',
    script: callsAs(
      (name) => [{ index: 0, id: 'call_1', function: { name, arguments: '{"a"' } }],
      (name) => [{ index: 0, id: 'call_1', function: { name, arguments: ':1}' } }],
    ),
    ...aCall,
  },
  {
    servers: 'LM Studio, MLX',
    does: 'sends all arguments again when they are complete',
    we: 'take them once',
    script: callsAs(
      (name) => [{ index: 0, id: 'call_1', function: { name, arguments: '{"a":' } }],
      () => [{ index: 0, function: { arguments: '1}' } }],
      () => [{ index: 0, function: { arguments: '{"a":1}' } }],
    ),
    ...aCall,
  },
  {
    servers: 'LiteLLM before Anthropic',
    does: 'begins the arguments with an empty object',
    we: 'take what follows',
    script: callsAs(
      (name) => [{ index: 0, id: 'call_1', function: { name, arguments: '{}' } }],
      () => [{ index: 0, function: { arguments: '{"a":1}' } }],
    ),
    ...aCall,
  },
  {
    servers: 'Ollama, LM Studio, older SGLang',
    does: 'calls a tool and ends with `stop`',
    we: 'call the tool and ask again',
    script: ({ messages, tools }) =>
      messages.at(-1)?.role === 'tool'
        ? says()
        : events(
            chunk({
              tool_calls: [
                { index: 0, id: 'c', function: { name: tools?.[0]?.function.name, arguments: '' } },
              ],
            }),
            stop,
          ),
    ...aCall,
  },
  {
    servers: 'any, with a model that makes mistakes',
    does: 'sends arguments that are not JSON',
    we: 'tell the model, which may correct itself',
    script: ({ messages, tools }) => {
      const last = messages.at(-1)
      if (last?.role !== 'tool') return calls(tools?.[0]?.function.name ?? '', '{"a":')
      return says(String(last.content).includes('JSON') ? 'Hello' : 'it was not told')
    },
    ...aCall,
  },
  {
    servers: 'any',
    does: 'calls a tool with a number of more digits than JavaScript can hold',
    we: 'give tool, history and model all of them',
    tools: [long],
    script: ({ messages, tools }) =>
      messages.at(-1)?.role === 'tool'
        ? says(
            JSON.stringify(
              messages.map(({ tool_calls }) => tool_calls?.map((call) => call.function.arguments)),
            ),
          )
        : calls(tools?.[0]?.function.name ?? '', `{"id":${LONG}}`),
    play: async (user) => [
      (await user.say()).text,
      (await user.say()).text,
      ...long.calls.map(({ args }) => JSON.stringify(args)),
    ],
    gets: [
      `[null,["{\\"id\\":${LONG}}"],null]`,
      `[null,["{\\"id\\":${LONG}}"],null,null,null,["{\\"id\\":${LONG}}"],null]`,
      `{"id":${LONG}}`,
      `{"id":${LONG}}`,
    ],
    asked: 4,
  },
]
