import {
  limits,
  type Methods,
  type PlatformToolRow,
  type ResultOf,
  platformTools as rows,
} from '@svc/contract'
import * as z from '@svc/contract/zod'
import { flag, fn, holding, list, OptionError, object, type Rule, text, textThat } from '@svc/node/options'
import { blockedBy, grantedTools, namedTools } from '../../apps/grants.ts'
import type { InstallRow, VersionRow } from '../../catalog/records.ts'
import type { ToolServices, WorkServices } from '../services.ts'
import { platformCalls } from './platform-calls.ts'
import type { ToolRights } from './tool-rights.ts'

const NAME = /^[a-z][a-z0-9]*(?:_[a-z0-9]+)*$/
/** What a manifest can name. */
const { NAME_MAX_CHARS } = limits

/**
 * The platform tools of a host: those of the contract and what the operator adds. Errors: `OptionError` for a name that
 * is taken.
 */
export function openPlatformTools(added: readonly AddedPlatformTool[]): PlatformTools {
  const tools = new Map<string, PlatformTool>()
  for (const [name, row] of Object.entries<PlatformToolRow>(rows)) {
    const call = platformCalls[name as keyof typeof rows] as PlatformTool['call']
    tools.set(name, described({ ...row, name, call }))
  }
  for (const tool of added) {
    const { name, description, dev_safe, destructive = false, args } = tool
    if (tools.has(name))
      throw new OptionError(
        `createHost: platformTools: the name ${JSON.stringify(name)} is taken by another platform tool`,
      )
    const call: PlatformTool['call'] = (args, { rights: { session }, signal }) =>
      tool.call(args, { userId: session.row.user_id, appId: session.row.app_id, signal })
    tools.set(name, described({ name, description, dev_safe, destructive, args, call }))
  }
  return tools
}

/** What `createHost({ platformTools })` may be. */
export const platformToolsRule = list(
  object(
    {
      name: textThat(
        `must have at most ${NAME_MAX_CHARS} lower-case letters, digits and single underscores`,
        (name) => NAME.test(name) && name.length <= NAME_MAX_CHARS,
      ),
      description: text,
      dev_safe: flag,
      destructive: flag,
      args: holding('must be an object schema of zod that JSON Schema can describe', (args) => {
        try {
          return schemaOf(args as z.ZodObject).type === 'object'
        } catch {
          return false
        }
      }),
      call: fn,
    } satisfies Record<keyof AddedPlatformTool, Rule>,
    'name',
    'description',
    'dev_safe',
    'args',
    'call',
  ),
)

/** Describes its arguments when a model is first to see them: that takes 1 ms each. */
function described(tool: Omit<PlatformTool, 'inputSchema'>): PlatformTool {
  let schema: PlatformTool['inputSchema'] | undefined
  return {
    ...tool,
    get inputSchema() {
      schema ??= schemaOf(tool.args)
      return schema
    },
  }
}

/** The arguments as a model sees them. */
function schemaOf(args: z.ZodObject): Readonly<Record<string, unknown>> {
  const { $schema: _, ...schema } = z.toJSONSchema(args, { io: 'input' })
  return schema
}

/** Who a tool of `createHost({ platformTools })` is called for. */
export interface PlatformCaller {
  /** The user of the session. */
  readonly userId: string
  /** The app of the session. */
  readonly appId: string
  /** Fires when the run was cancelled, or the tool took longer than `SYNC_TIMEOUT_DEFAULT_MS`. */
  readonly signal: AbortSignal
}

/** A tool that an operator adds: its row, and how it is done. */
export interface AddedPlatformTool<Args extends z.ZodObject = z.ZodObject> extends PlatformToolRow<Args> {
  /** Lower-case letters, digits and single underscores; not that of another platform tool. */
  readonly name: string
  /**
   * Does it with arguments that `args` has passed. What it answers goes to the model as JSON; what it throws is
   * logged and reads `internal_error`, unless it is a refusal of `@svc/contract`.
   */
  call(args: z.output<Args>, caller: PlatformCaller): unknown
}

/** What a platform tool knows of its call. */
export interface PlatformCall {
  readonly services: ToolServices
  readonly rights: ToolRights
  readonly signal: AbortSignal
}

/** A platform tool of this host. */
export interface PlatformTool extends PlatformToolRow {
  readonly name: string
  /** JSON Schema of `args`. */
  readonly inputSchema: Readonly<Record<string, unknown>>
  call(args: Readonly<Record<string, unknown>>, call: PlatformCall): unknown
}

/** The platform tools of a host, by name. */
export type PlatformTools = ReadonlyMap<string, PlatformTool>

/**
 * The catalog of platform tools for an app of a user. `declared_in_manifest` says what the manifest
 * names; a `dev_safe` tool is eligible without it where the manifest does not say.
 */
export function catalogOf(
  { platformTools }: Pick<WorkServices, 'platformTools'>,
  { manifest }: Pick<VersionRow, 'manifest'>,
  { grants }: Pick<InstallRow, 'grants'>,
): ResultOf<Methods['agent']['session.catalog']> {
  const named = namedTools(manifest)
  const granted = grantedTools(grants)
  return {
    platform_tools: [...platformTools.values()].map((tool) => {
      const { name, description, dev_safe } = tool
      const block = blockedBy(tool, manifest, grants)
      return {
        name,
        description,
        dev_safe,
        declared_in_manifest: named.includes(name),
        user_granted: granted.includes(name),
        eligible: block === null,
        ...(block && { blocked_by: block.by }),
      }
    }),
    inherit_host_tools_granted: grants.agent?.inherit_host_tools === true,
    manifest_declared: [...named],
    user_granted: [...granted],
  }
}
