import type { SessionTool, ToolAnswer } from '../work/sessions/session-tools.ts'

/** A tool of a test, and what it was called with. */
export interface FakeTool extends SessionTool {
  readonly calls: { readonly args: unknown; readonly signal: AbortSignal }[]
}

/** Makes one that answers as told. */
export function openFakeTool(
  name = 'probe',
  answer: (args: unknown, signal: AbortSignal) => ToolAnswer | Promise<ToolAnswer> = () => ({
    output: { ok: 1 },
  }),
): FakeTool {
  const calls: FakeTool['calls'] = []
  return {
    name,
    description: `the tool ${name}`,
    calls,
    inputSchema: { type: 'object', properties: { q: { type: 'string' } } },
    async call(args, signal) {
      calls.push({ args, signal })
      return answer(args, signal)
    },
  }
}
