import { methodRows } from '../methods/index.ts'
import * as z from '../values/zod.ts'
import { manifestSchema } from './manifest.ts'

/** The parts of JSON Schema that a manifest's makes use of. */
export interface ManifestSchema {
  readonly type?: string
  readonly description?: string
  readonly properties?: Readonly<Record<string, ManifestSchema>>
  readonly additionalProperties?: false | ManifestSchema
  readonly required?: readonly string[]
  readonly items?: ManifestSchema
  readonly anyOf?: readonly ManifestSchema[]
}

/** Namespaces of `ui.host_api` that are no lists of methods, and one that is always allowed. */
const ownForm: ReadonlySet<string> = new Set(['agent', 'tools', 'window'])

/** The lists of methods that `ui.host_api` may have, one a namespace. */
function methodLists(): Record<string, ManifestSchema> {
  const names = new Map<string, string[]>()
  for (const [ns, name] of methodRows()) if (!ownForm.has(ns)) names.set(ns, [...(names.get(ns) ?? []), name])
  return Object.fromEntries(
    [...names].map(([ns, methods]) => [
      ns,
      {
        type: 'array',
        description: `Methods of \`${ns}\`, or \`["*"]\`.`,
        items: { type: 'string', enum: ['*', ...methods] },
      },
    ]),
  )
}

/** The JSON Schema (2020-12) of an app's manifest: for editors, and to say which keys nobody reads. */
export function manifestJsonSchema(): ManifestSchema {
  const schema = z.toJSONSchema(manifestSchema, {
    io: 'input',
    unrepresentable: 'any',
    override({ jsonSchema, path }) {
      if (path.at(-1) === 'host_api')
        jsonSchema.properties = { ...jsonSchema.properties, ...methodLists() } as never
      else if (jsonSchema.properties) jsonSchema.additionalProperties = false
    },
  }) as ManifestSchema
  const $schema = { type: 'string', description: 'Where this schema is, for editors.' }
  return { ...schema, properties: { $schema, ...schema.properties } }
}
