import type { Dialect } from './dialect.ts'
import { json, type Reply, refuses, unless } from './reply.ts'
import { both, tools, twice } from './rows.ts'

/** A model without tools, in the words of its server. */
const without = (servers: string, words: string, refusal: Reply): Dialect => ({
  servers,
  does: `has a model without tools: ${words}`,
  we: 'ask without tools, and say so in the log',
  tools: tools(),
  script: unless((body) => !body.tools && !body.tool_choice, refusal),
  play: twice,
  gets: both,
  asked: 3,
})

/** Models that have no tools, in the words of their servers. */
export const toolless: readonly Dialect[] = [
  without(
    'Ollama',
    '"does not support tools"',
    refuses('registry.ollama.ai/library/gemma:2b does not support tools', { type: 'api_error' }),
  ),
  without(
    'vLLM',
    '"requires --enable-auto-tool-choice"',
    json(
      {
        object: 'error',
        message: '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set',
        type: 'BadRequestError',
        code: 400,
      },
      400,
    ),
  ),
  without(
    'OpenRouter',
    '404, "No endpoints found that support tool use"',
    json(
      {
        error: {
          message:
            'No endpoints found that support tool use. To learn more about provider routing, visit: https://openrouter.ai/docs/provider-routing',
          code: 404,
        },
      },
      404,
    ),
  ),
  without(
    'llama.cpp',
    '"tools param requires --jinja flag"',
    json({ error: { code: 500, message: 'tools param requires --jinja flag', type: 'server_error' } }, 500),
  ),
  without(
    'LiteLLM',
    '"does not support parameters"',
    json(
      {
        error: {
          message:
            "litellm.UnsupportedParamsError: ollama does not support parameters: ['tools', 'tool_choice'], for model=gemma",
        },
      },
      400,
    ),
  ),
  without(
    'LM Studio',
    'a template that fails at tools',
    json(
      {
        error: 'Error rendering prompt with jinja template: "Cannot call something that is not a function".',
      },
      400,
    ),
  ),
  without(
    'Groq',
    '"`tool calling` is not supported"',
    refuses('`tool calling` is not supported with this model'),
  ),
  without(
    'DeepSeek reasoner',
    '"does not support Function Calling"',
    refuses('deepseek-reasoner does not support Function Calling'),
  ),
  without(
    'Mistral, Perplexity',
    '422 with the `loc` of `tools`',
    json(
      {
        detail: [
          {
            type: 'extra_forbidden',
            loc: ['body', 'tools'],
            msg: 'Extra inputs are not permitted',
            input: [],
          },
        ],
      },
      422,
    ),
  ),
]
