import { reachSchema } from '../../packages/contract/src/index.ts'
import { plugBodies } from '../../packages/contract/src/routes/index.ts'
import { type JsonSchema, jsonSchema } from './json-schema.ts'

const text = (description: string) => ({ type: 'string', description })

/** What `svc.plug.json` has beside what a plugin is created with. */
const own: JsonSchema = {
  $schema: text('Where this schema is, for editors.'),
  command: {
    type: 'array',
    minItems: 1,
    items: { type: 'string', minLength: 1 },
    description: 'Program and arguments that are asked for the manifest, started in this folder.',
  },
  reach: jsonSchema(reachSchema, 'input'),
  readme: text('The path of a file.'),
  tool_id: text('Written by the first publish; another host or user needs a file without it.'),
  draft_id: text('There while a publish is between mint and commit.'),
}

/** The JSON Schema of `svc.plug.json`, made of the body that creates a plugin. */
export function plugFileSchema(): JsonSchema {
  const { properties, required } = jsonSchema(plugBodies.create, 'input')
  const { manifest: _, ...sent } = properties as Record<string, unknown>
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties: { ...sent, ...own },
    required,
    additionalProperties: false,
  }
}
