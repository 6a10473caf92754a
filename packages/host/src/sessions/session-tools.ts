import { refuse } from '@svc/contract'
import type { House } from '../house.ts'
import type { InstallRow, VersionRow } from '../records.ts'
import type { SessionRecord } from './session-row.ts'

/** How a tool call of a run ended: what the model is told. */
export type ToolAnswer =
  | { readonly output: unknown }
  | { readonly error: { readonly code: string; readonly message: string } }

/** A tool as a model sees it (design §9): a platform tool by its name, a plugin's as `{tool_id}__{tool}`. */
export interface SessionTool {
  readonly name: string
  readonly description: string
  /** JSON Schema of the arguments. */
  readonly inputSchema: Readonly<Record<string, unknown>>
  /** Calls it; whether this session may is judged anew each time. Never rejects but by `signal`. */
  call(args: unknown, signal: AbortSignal): Promise<ToolAnswer>
}

/** A session with what its app may do. */
export interface SessionRights {
  readonly session: SessionRecord
  readonly version: VersionRow
  readonly install: InstallRow
}

/** The tools of a session, resolved now (spec §2.4, design §9). */
export async function sessionTools(_house: House, _rights: SessionRights): Promise<readonly SessionTool[]> {
  throw refuse('not_implemented')
}
