import type { PlatformToolRow } from '@svc/contract'
import type { z } from 'zod'
import type { ToolServices } from '../services.ts'
import type { ToolRights } from './tool-rights.ts'

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
