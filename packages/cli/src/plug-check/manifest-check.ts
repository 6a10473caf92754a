import { didYouMean, explainAll, pluginManifestSchema } from '@svc/contract'
import { passed, type Verdict, verdictOf } from '../checks/check.ts'
import { fieldsOf } from '../project/fields.ts'
import { failure } from '../terminal/failure.ts'
import type { Bench, PluginCheck } from './bench.ts'
import type { Message } from './message.ts'
import { mcpHint, SPEAKS_MCP, speaksMcp } from './speaks-mcp.ts'

/** Everything that is wrong with what `describe` returned. */
export function manifestProblems(result: unknown): string[] {
  if (!fieldsOf(result)) return ['the result of describe must be an object']
  const { tools } = result as Message
  const noTools = Array.isArray(tools) ? [] : ['tools must be an array']
  const parsed = pluginManifestSchema.safeParse(result)
  return parsed.success ? noTools : [...new Set([...noTools, ...explainAll(parsed.error, result, 'it')])]
}

const BUFFERED =
  'it answered when its stdin ended: flush each line that is written, as print(…, flush=True) in Python does'

const anMcpServer = ({ command }: Bench): Verdict => ({
  kind: 'broken',
  problems: [SPEAKS_MCP],
  hint: mcpHint('svc plug check', ['--', ...command]),
  isSilent: true,
})

/** Whoever names a tool that is not there would read of it as a fault of the plugin. Errors: `usage`. */
function refuseUnknownTool({ call }: Bench, tools: readonly Message[]): void {
  const names = tools.map(({ name }) => String(name))
  if (call && !names.includes(call.tool))
    throw failure(
      'usage',
      `the plugin has no tool ${JSON.stringify(call.tool)}${didYouMean(call.tool, names)}`,
      `Its tools are ${names.join(', ') || 'none'}.`,
    )
}

/** `describe` is answered in time, and the answer is a manifest that can be published. */
export const manifestCheck: PluginCheck = {
  id: 'stdio.describe',
  name: 'answers describe with its manifest',
  hint: 'Answer {"method":"describe"} with {"result":{"name":"…","version":"1.0.0","tools":[{"name":"…","parameters":[]}]}} and the id of the request.',
  async run(bench) {
    const plugin = bench.open()
    const answer = await plugin.ask({ id: 'describe', method: 'describe' })
    if ('problem' in answer) {
      const late = plugin.wait((message) => message.id === 'describe', bench.limits.CANCEL_KILL_MS)
      await plugin.endInput(bench.limits.CANCEL_KILL_MS)
      const isBuffered = 'reply' in (await late) && answer.hint === undefined
      if (!isBuffered && (await speaksMcp(bench))) return anMcpServer(bench)
      const problems = [answer.problem, ...(isBuffered ? [BUFFERED] : [])]
      const { hint } = answer
      return { kind: 'broken', problems, ...(hint !== undefined && { hint }), isSilent: true }
    }
    const { result, error } = answer.reply
    if (result === undefined && (await speaksMcp(bench))) return anMcpServer(bench)
    if (result === undefined)
      return verdictOf([`it answered an error: ${JSON.stringify(fieldsOf(error)?.message ?? error)}`])
    const { name, version, tools } = (fieldsOf(result) ?? {}) as Message
    const problems = manifestProblems(result)
    if (problems.length === 0) refuseUnknownTool(bench, tools as Message[])
    return problems.length > 0
      ? verdictOf(problems)
      : passed(
          `${name}${version === undefined ? '' : ` ${version}`}; tools: ${(tools as Message[]).map((tool) => tool.name).join(', ') || 'none'}`,
        )
  },
}
