import {
  distributionSchema,
  grantsSchema,
  manifestSchema,
  methods,
  pluginManifestSchema,
} from '../../packages/contract/src/index.ts'
import { type JsonSchema, jsonSchema } from './json-schema.ts'

/** Schemas that stand in several places, each written once. Whole ones come before their parts. */
export const sharedSchemas: Readonly<Record<string, JsonSchema>> = {
  AppManifestInput: jsonSchema(manifestSchema, 'input'),
  PluginManifestInput: jsonSchema(pluginManifestSchema, 'input'),
  PluginManifest: jsonSchema(pluginManifestSchema, 'output'),
  Distribution: jsonSchema(distributionSchema, 'output'),
  Grants: jsonSchema(grantsSchema, 'output'),
  JobSnapshot: jsonSchema(methods.tools.getJob.result, 'output'),
}

const names = new Map(Object.entries(sharedSchemas).map(([name, schema]) => [JSON.stringify(schema), name]))

/** A document with a reference wherever one of the shared schemas stood. */
export function withReferences(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(withReferences)
  const name = names.get(JSON.stringify(value))
  if (name !== undefined) return { $ref: `#/components/schemas/${name}` }
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, withReferences(part)]))
}
