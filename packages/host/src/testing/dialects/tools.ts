import { openFakeTool } from '../fake-tool.ts'
import type { Dialect } from './dialect.ts'
import { callsThenSays, refuses, type SentBody, unless } from './reply.ts'
import { both, kept, namesOf, tools, twice } from './rows.ts'

/** A schema with what servers are known to refuse. */
const odd = {
  ...openFakeTool(),
  inputSchema: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties: {
      at: { $ref: '#/$defs/point', default: [0, 0] },
      mode: { const: 'fast' },
      level: { enum: [1, 2] },
      when: { type: ['string', 'null'], format: 'date-time', pattern: '^(?=x)' },
      more: { anyOf: [{ type: 'object', additionalProperties: false }, { type: 'null' }] },
      any: true,
      list: { type: 'array' },
    },
    required: ['at', 'gone'],
    additionalProperties: false,
    $defs: { point: { type: 'array', prefixItems: [{ type: 'number' }, { type: 'number' }] } },
  },
}
const textOfTools = ({ tools: sent }: SentBody) => JSON.stringify(sent ?? [])
/** A server that takes some schemas alone, in its words. */
const schemaless = (servers: string, does: string, banned: RegExp, words: string, status = 400): Dialect => ({
  servers,
  does,
  we: 'send the arguments of tools in the plainest form',
  tools: [odd],
  script: unless((body) => !banned.test(textOfTools(body)), refuses(words, {}, status), callsThenSays()),
  asked: 3,
})

const BAD_NAME = refuses(
  "Invalid 'tools[0].function.name': string does not match pattern '^[a-zA-Z0-9_-]+$'.",
  { param: 'tools[0].function.name', code: 'invalid_value' },
)
const LONG_NAME = `ten_${'a'.repeat(26)}.pub_${'b'.repeat(26)}__read`
const namesAre = (pattern: RegExp) => (body: SentBody) => namesOf(body).every((name) => pattern.test(name))

/** What servers refuse of names, arguments and the number of tools. */
export const toolRows: readonly Dialect[] = [
  {
    servers: 'OpenAI, Mistral, Groq',
    does: 'calls a tool, and takes its result as a message of the role `tool`',
    we: 'call the tool and ask again',
    tools: tools(),
    script: callsThenSays(),
    asked: 2,
  },
  kept(
    'OpenAI',
    'refuses names of tools with other characters than `A-Z a-z 0-9 _ -`, or with more than 64',
    'send short names, and call the tool by its own',
    {
      tools: [openFakeTool(LONG_NAME)],
      script: unless(namesAre(/^[a-zA-Z0-9_-]{1,64}$/), BAD_NAME, callsThenSays()),
      play: async (user) => [await user.say(), await user.say('again')],
      gets: [{}, { text: 'Hello' }],
      asked: 4,
    },
  ),
  kept('Gemini', 'refuses names of tools that begin with a digit', 'send names that begin with a letter', {
    tools: [openFakeTool('9lives')],
    script: unless(namesAre(/^[a-zA-Z_]/), BAD_NAME, callsThenSays()),
    asked: 2,
  }),
  kept(
    'OpenAI',
    'wants an object at the top of the arguments of a tool',
    'send the branches of a schema as one object',
    {
      tools: [
        {
          ...openFakeTool(),
          inputSchema: { anyOf: [{ type: 'object', properties: { q: { type: 'string' } } }] },
        },
      ],
      script: unless(
        (body) =>
          body.tools?.every(
            (tool) => tool.function.parameters?.type === 'object' && !('anyOf' in tool.function.parameters),
          ),
        refuses(
          "Invalid schema for function 'probe': schema must have type 'object' and not have 'oneOf'/'anyOf'/'allOf'/'enum'/'not' at the top level.",
          { code: 'invalid_function_parameters' },
        ),
        callsThenSays(),
      ),
      asked: 2,
    },
  ),
  kept('OpenAI', 'wants `items` in each array of a schema, and no reference', 'send both written out', {
    tools: [odd],
    script: unless(
      (body) =>
        /"list":\{"type":"array","items"/.test(textOfTools(body)) &&
        !/\$ref|\$defs|\$schema/.test(textOfTools(body)),
      refuses(
        "Invalid schema for function 'probe': In context=('properties', 'list'), array schema missing items.",
      ),
      callsThenSays(),
    ),
    asked: 2,
  }),
  schemaless(
    'Gemini',
    'does not know `additionalProperties` and other members of a schema',
    /additionalProperties|default|format|pattern/,
    'Invalid JSON payload received. Unknown name "additionalProperties" at \'tools[0].function_declarations[0].parameters\': Cannot find field.',
  ),
  schemaless(
    'Gemini',
    'takes no `enum` of numbers, and wants a type everywhere',
    /"enum":\[1|:\{\}/,
    "Invalid value at 'tools[0].function_declarations[0].parameters.properties[2].value.enum[0]' (TYPE_STRING), 1",
  ),
  schemaless(
    'llama.cpp',
    'makes a grammar of each schema and fails at patterns',
    /pattern/,
    'failed to parse grammar',
    500,
  ),
  schemaless(
    'Anthropic',
    'judges schemas: "input_schema: JSON schema is invalid"',
    /anyOf|format/,
    'tools.0.custom.input_schema: JSON schema is invalid. It must match JSON Schema draft 2020-12',
  ),
  {
    servers: 'OpenAI (128), Groq, small models',
    does: 'takes so many tools',
    we: 'send the first ones, and say so in the log',
    tools: ['a', 'b', 'c'].map((name) => openFakeTool(name)),
    script: unless(
      (body) => (body.tools?.length ?? 0) <= 2,
      refuses(
        "Invalid 'tools': array too long. Expected an array with maximum length 2, but got an array with length 3 instead.",
        { param: 'tools', code: 'array_above_max_length' },
      ),
    ),
    play: twice,
    gets: both,
    asked: 3,
  },
]
