import type { RpcRequest, WindowClaims } from '@svc/contract'
import type { Audit } from './audit.ts'
import { isDenial } from './denied.ts'

/** How a call ended: its name, or `?` for one that is in no table. */
export interface EndedCall {
  readonly ns: string
  readonly method: string
  readonly code: string
  readonly ms: number
}

const toolMethods: ReadonlySet<string> = new Set(['invoke', 'invokeAsync'])

/** Notes a call of a tool, however it ended, and every other call that was denied. All else costs two comparisons. */
export function noteCall(
  audit: Audit,
  call: RpcRequest,
  { user_id, app_id, wid }: WindowClaims,
  { ns, method, code, ms }: EndedCall,
): void {
  if (ns === 'tools' && toolMethods.has(method))
    audit.note('tool.call', user_id, code, {
      app_id,
      window_uuid: wid,
      // What is no name of a tool is only the caller's own text.
      ...(code !== 'invalid_arg' && { target: textOf(call.args, 'tool_id') ?? '?' }),
      ...(code !== 'invalid_arg' && { method: textOf(call.args, 'method') ?? method }),
      ms,
    })
  else if (isDenial(code))
    audit.note('denied', user_id, code, { app_id, window_uuid: wid, method: `${ns}.${method}` })
}

function textOf(args: unknown, name: string): string | undefined {
  if (typeof args !== 'object' || args === null || !Object.hasOwn(args, name)) return undefined
  const value: unknown = Reflect.get(args, name)
  return typeof value === 'string' ? value : undefined
}
