import { limits, type PlatformToolRow, platformTools as rows } from '@svc/contract'
import { z } from 'zod'
import { platformCalls } from './platform-calls.ts'
import type { AddedPlatformTool, PlatformTool, PlatformTools } from './platform-tool.ts'

const NAME = /^[a-z][a-z0-9]*(?:_[a-z0-9]+)*$/
/** What a manifest can name. */
const { NAME_MAX_CHARS } = limits

/**
 * The platform tools of a host: those of the contract and what the operator adds. Errors: a sentence for a name that
 * is taken or is none, and for a tool that cannot be described or called.
 */
export function openPlatformTools(added: readonly AddedPlatformTool[]): PlatformTools {
  const tools = new Map<string, PlatformTool>()
  for (const [name, row] of Object.entries<PlatformToolRow>(rows)) {
    const call = platformCalls[name as keyof typeof rows] as PlatformTool['call']
    tools.set(name, { ...row, name, inputSchema: schemaOf(row.args), call })
  }
  for (const tool of added) {
    const problem = problemOf(tool, tools)
    if (problem !== null) throw new Error(`createHost: platformTools: ${problem}`)
    tools.set(tool.name, {
      name: tool.name,
      description: tool.description,
      dev_safe: tool.dev_safe,
      args: tool.args,
      inputSchema: schemaOf(tool.args),
      call: (args, { rights: { session }, signal }) =>
        tool.call(args, { userId: session.row.user_id, appId: session.row.app_id, signal }),
    })
  }
  return tools
}

function problemOf(tool: AddedPlatformTool, tools: PlatformTools): string | null {
  const { name, description, dev_safe, args, call } = tool
  const quoted = JSON.stringify(name)
  if (typeof name !== 'string' || !NAME.test(name) || name.length > NAME_MAX_CHARS)
    return `a name has at most ${NAME_MAX_CHARS} lower-case letters, digits and single underscores, got ${quoted}`
  if (tools.has(name)) return `the name ${quoted} is taken by another platform tool`
  if (typeof description !== 'string' || description === '') return `${quoted} needs a description`
  if (typeof dev_safe !== 'boolean') return `${quoted} needs dev_safe: true or false`
  if (typeof call !== 'function') return `${quoted} needs a call`
  try {
    if (schemaOf(args).type === 'object') return null
  } catch {
    // What zod cannot describe is told as what it is not, in the same sentence.
  }
  return `the args of ${quoted} must be an object schema of zod that JSON Schema can describe`
}

/** The arguments as a model is told of them. */
function schemaOf(args: z.ZodObject): Readonly<Record<string, unknown>> {
  const { $schema: _, ...schema } = z.toJSONSchema(args, { io: 'input' })
  return schema
}
