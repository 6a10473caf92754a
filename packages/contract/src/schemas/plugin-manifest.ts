import { limits } from '../limits/index.ts'
import { isSemver } from '../values/semver.ts'
import { text } from '../values/text.ts'
import * as z from '../values/zod.ts'
import { reachSchema } from './reach-schema.ts'
import { isToolName, toolNameRule } from './tool-name.ts'

/** A version of a plugin. */
export const semver = text(limits.PLUG_VERSION_MAX_CHARS).refine(isSemver, 'must be SemVer such as 1.0.0')

const name = text(limits.TOOL_ID_MAX_CHARS)
  .min(1)
  .refine((value) => value !== '__proto__', 'must not be __proto__')

const parameterSchema = z.looseObject({
  name,
  type: text(limits.NAME_MAX_CHARS).default('string'),
  required: z.boolean().optional(),
  description: text(limits.PLUG_DESCRIPTION_MAX_CHARS).optional(),
  enum: z.array(z.unknown()).optional(),
  default: z.unknown().optional(),
})

/** Two of one name could not be told apart: the runner would leave the second out. */
const once =
  (what: string) =>
  (list: readonly { readonly name: string }[], check: z.RefinementCtx): void => {
    const seen = new Set<string>()
    for (const [at, { name }] of list.entries()) {
      if (seen.has(name))
        check.addIssue({ code: 'custom', path: [at, 'name'], message: `is listed twice among the ${what}` })
      seen.add(name)
    }
  }

const toolSchema = z.looseObject({
  name: name.refine(isToolName, toolNameRule),
  description: text(limits.PLUG_DESCRIPTION_MAX_CHARS).optional(),
  parameters: z
    .array(parameterSchema)
    .max(limits.PLUG_PARAMETERS_MAX)
    .superRefine(once('parameters'))
    .default([]),
  input_schema: z.record(z.string(), z.unknown()).optional(),
  output_schema: z.record(z.string(), z.unknown()).optional(),
  /** Clamped by who runs it; rubbish is ignored. */
  timeout_ms: z.int().optional().catch(undefined),
  /** Its user is asked before each call. */
  destructive: z.boolean().optional(),
})

/**
 * The manifest of a plugin as its author publishes it: what `describe` answers. Stricter than the
 * runner, which leaves out what it cannot use: here the author is there to put it right. Members that are not known are
 * kept, also those of a tool and of a parameter: they are part of what the plugin said.
 */
export const pluginManifestSchema = z.looseObject({
  name: text(limits.PLUG_NAME_MAX_CHARS).min(1),
  version: semver.optional(),
  tools: z.array(toolSchema).max(limits.PLUG_TOOLS_MAX).superRefine(once('tools')).default([]),
  credentials: z.array(z.unknown()).max(limits.PLUG_CREDENTIALS_MAX).optional(),
  host_capabilities: z.array(text(limits.NAME_MAX_CHARS)).max(limits.PLUG_CAPABILITIES_MAX).optional(),
  /** Hosts and folders beyond its own folder; nothing where left out. */
  reach: reachSchema.optional(),
})

/** A plugin's manifest after it was read. */
export type PluginManifest = z.output<typeof pluginManifestSchema>
