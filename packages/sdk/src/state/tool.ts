import type { CheckedId, CheckedTool, KnownArgs, KnownResult, ToolsInvokeArgs } from '@svc/contract/client'
import type { Svc } from '../svc.ts'
import { type Call, createCall } from './call.ts'
import type { State } from './state.ts'

/** Options of a call of a tool. */
export interface ToolCallOptions {
  /** How long the tool may take, in ms: at least 1 000, lowered to 90 000. */
  readonly timeoutMs?: number | undefined
}

/** What a call of a tool takes: the arguments of the tool, and options. */
export type ToolCallArgs<Id extends string, Tool extends string> = [
  ...args: KnownArgs<Id, Tool>,
  options?: ToolCallOptions,
]

/** A tool: the state of its last call, and how to call it. */
export type ToolCall<Result extends object, Id extends string, Tool extends string> = Call<
  ToolCallArgs<Id, Tool>,
  KnownResult<Result, Id, Tool>
>

/** Makes the states of `svc.tools.invoke` for one tool. */
export const createToolCall = <
  Result extends object = Record<string, unknown>,
  Id extends string = string,
  Tool extends string = string,
>(
  { tools }: Pick<Svc, 'tools'>,
  tool_id: CheckedId<Id>,
  method?: CheckedTool<Id, Tool>,
): State<ToolCall<Result, Id, Tool>> =>
  createCall(
    (signal, args?: ToolsInvokeArgs['args'], options?: ToolCallOptions) =>
      // The types of `invoke` are for calls that are written out; the names of this one are checked where they come in.
      tools.invoke({ ...options, tool_id, method, args } as never, { signal }) as Promise<never>,
  ) as unknown as State<ToolCall<Result, Id, Tool>>
