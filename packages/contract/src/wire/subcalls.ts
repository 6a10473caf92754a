import { type ErrorBody, errorBody, errorRow, type Refusal } from '../errors/errors.ts'
import type { LineError } from './stdio.ts'

/** What a plugin may list in `host_capabilities`. */
export type HostCapability = 'llm.sample' | 'llm.agent.auto' | 'llm.agent.fixed' | 'host.upload'

/** What a session takes of its plugin: by its kind where that is `complete`, else by its submode. */
export const sessionNeeds = {
  complete: 'llm.sample',
  auto: 'llm.agent.auto',
  fixed: 'llm.agent.fixed',
} as const satisfies Record<string, HostCapability>

/** One request that a plugin may make of the host within a call. */
export interface SubcallRow {
  /** The capability that it takes; `session`: the one of the session that it names or makes. */
  readonly needs: HostCapability | 'session'
  /** It ends after a time of its own (30 s), whatever time the call has left; errors call it by this name. */
  readonly channel?: string
}

/** Every request that a plugin may make (docs/reference/stdio.md). A new one is a new row. */
export const subcalls = {
  'host/uploadFile': { needs: 'host.upload', channel: 'upload' },
  'llm/complete': { needs: 'llm.sample' },
  'agent/session.create': { needs: 'session' },
  'agent/session.run': { needs: 'session' },
  'agent/session.cancel': { needs: 'session' },
  'agent/session.delete': { needs: 'session' },
} as const satisfies Record<string, SubcallRow>

/** The name of a request of a plugin. */
export type SubcallMethod = keyof typeof subcalls

const rows: ReadonlyMap<unknown, SubcallRow> = new Map(Object.entries(subcalls))

/** Whether a name from outside is one of the table's. */
export const isSubcall = (method: unknown): method is SubcallMethod => rows.has(method)

/** The row of a request. */
export const subcallRow = (method: SubcallMethod): SubcallRow => subcalls[method]

/** JSON-RPC's range for a server's own errors: every refusal that has no number of its own. */
export const REFUSED = -32_000

/** An error as a line carries it: the number of a session error where there is one, and the name in `data`. */
export function lineError({ code, message, details }: ErrorBody): LineError {
  return {
    code: errorRow(code).rpcCode ?? REFUSED,
    message,
    data: { name: code, ...(details && { details }) },
  }
}

/** The same of a refusal. */
export const refusalError = (refusal: Refusal): LineError => lineError(errorBody(refusal))
