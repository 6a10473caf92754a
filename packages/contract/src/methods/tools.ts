import { z } from 'zod'
import { method } from '../define.ts'
import { limits } from '../limits.ts'
import { text } from '../text.ts'
import { anyObject, integer } from './rules.ts'

/** One entry of the tool list (spec §2.8, design §9). */
export const toolEntry = z.object({
  tool_id: z.string(),
  plugin_name: z.string(),
  tool_name: z.string(),
  description: z.string(),
  input_schema: anyObject,
  status: z.enum(['available', 'deploying', 'unavailable']),
})

/** One entry of the tool list. */
export type ToolEntry = z.output<typeof toolEntry>

const args = z
  .custom<Record<string, unknown>>(
    (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
    'must be an object',
  )
  .meta({ type: 'object' })

/** `tools.*` (spec §4.2): admitted when the app declares a plug (decision 32a); each call passes the tool ACL. */
export const tools = {
  list: method({
    doc: 'Lists the tools that this app may call.',
    access: 'plugs',
    args: z.object({}),
    result: z.object({ tools: z.array(toolEntry) }),
  }),
  invoke: method({
    doc: 'Calls a tool and waits for its result. timeoutMs is in ms: at least 1 000, above 90 000 it is lowered.',
    access: 'plugs',
    slow: true,
    args: z.object({
      tool_id: text(limits.TOOL_ID_MAX_CHARS).min(1),
      method: text(limits.TOOL_ID_MAX_CHARS).optional(),
      args: args.optional(),
      timeoutMs: integer.optional(),
    }),
    result: anyObject,
  }),
}
