import type { Limits } from '@svc/contract'
import { broken, passed, verdictOf } from '../checks/check.ts'
import { fieldsOf } from '../project/fields.ts'
import type { Bench, PluginCheck } from './bench.ts'
import { describeProblem } from './life-checks.ts'
import type { Message } from './message.ts'

const NO_METHOD = 'svc/no-such-method'
const NO_TOOL = 'svc_no_such_tool'

/** What a call carries: the same as from the runner. */
export const callParams = (tool: string, args: unknown, id: string, timeoutMs: number) => ({
  name: tool,
  args,
  timeout: timeoutMs,
  deadline_ms: Date.now() + timeoutMs,
  context: { invoke_id: id },
})

/** What is wrong with a JSON-RPC error. */
export function errorProblems(error: unknown): string[] {
  const fields = fieldsOf(error)
  if (!fields) return ['error must be an object with code and message']
  return [
    ...(Number.isInteger(fields.code)
      ? []
      : [`error.code must be a whole number, got ${JSON.stringify(fields.code) ?? 'nothing'}`]),
    ...(typeof fields.message === 'string'
      ? []
      : [`error.message must be text, got ${JSON.stringify(fields.message) ?? 'nothing'}`]),
  ]
}

/** What is wrong with a reply that has to be a failure, of the tool or of the program. */
function failureProblems({ result, error }: Message): string[] {
  if (error !== undefined && error !== null) return errorProblems(error)
  const fields = fieldsOf(result)
  if (fields?.success !== false) return ['it returned a result as if nothing were wrong']
  return typeof fields.error === 'string' ? [] : ['{"success": false} must come with error, a text']
}

/** Asks something that fails, then whether the plugin is still there. */
async function refused(
  bench: Bench,
  request: { readonly method: string; readonly params: unknown },
  problemsOf: (reply: Message) => string[],
) {
  const plugin = bench.open()
  const answer = await plugin.ask({ id: 'wrong', ...request })
  if ('problem' in answer) return broken(answer.problem)
  const problems = problemsOf(answer.reply)
  if (problems.length > 0) return verdictOf(problems)
  const after = await describeProblem(plugin)
  return after === null ? passed() : broken(`asked afterwards, ${after}`)
}

/** That what the plugin does not have is refused, and costs nothing else. */
export const errorChecks: readonly PluginCheck[] = [
  {
    id: 'stdio.failure.error',
    name: 'refuses a method that it does not know',
    hint: 'Answer {"error":{"code":-32601,"message":"…"}} with the id of the request.',
    run: (bench) =>
      refused(bench, { method: NO_METHOD, params: {} }, ({ error }) =>
        error === undefined ? [`it answered ${NO_METHOD} with a result`] : errorProblems(error),
      ),
  },
  {
    id: 'stdio.failure.result',
    name: 'refuses a tool that it does not have',
    hint: 'Answer {"error":{"code":-32602,"message":"…"}}, or {"result":{"success":false,"error":"…"}}, and go on reading.',
    run: (bench) => refused(bench, { method: 'call', params: paramsOf(bench.limits) }, failureProblems),
  },
]

const paramsOf = (limits: Limits) => callParams(NO_TOOL, {}, 'wrong', limits.SYNC_TIMEOUT_DEFAULT_MS)
