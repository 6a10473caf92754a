import type { MethodRow } from '../../packages/contract/src/index.ts'

/** A schema of JSON Schema 2020-12, as OpenAPI 3.1 takes it. */
export type JsonSchema = Readonly<Record<string, unknown>>

/**
 * What a type takes (`input`) or gives (`output`). What JSON Schema cannot say (a rule in code) is left out, and so is
 * that an object has no other fields: a later host may answer more of them, and drops those that it does not know.
 */
export function jsonSchema(type: MethodRow['result'], io: 'input' | 'output'): JsonSchema {
  const { $schema: _, ...schema } = type.toJSONSchema({
    io,
    unrepresentable: 'any',
    override({ jsonSchema }) {
      if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties
    },
  })
  return schema
}
