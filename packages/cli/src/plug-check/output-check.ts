import { outputProblems } from '@svc/contract'
import { passed, type Verdict, verdictOf } from '../checks/check.ts'
import { fieldsOf } from '../project/fields.ts'
import type { Bench, PluginCheck } from './bench.ts'
import type { Message } from './message.ts'

/** The `output_schema` of a tool, as a process of its own describes it. */
async function schemaOf(bench: Bench, tool: string): Promise<Message | undefined> {
  const answer = await bench.open().ask({ id: 'describe', method: 'describe' })
  const tools = 'reply' in answer ? fieldsOf(answer.reply.result)?.tools : undefined
  const found = Array.isArray(tools) ? tools.find((one) => fieldsOf(one)?.name === tool) : undefined
  return fieldsOf(fieldsOf(found)?.output_schema)
}

const leftOut = (why: string): Verdict => ({ kind: 'left_out', why })

/**
 * That a tool returns what its `output_schema` says. `callOf` gives the call that was tried and what it returned under
 * `output`, or why there is nothing to look at.
 */
export const outputCheck = (
  callOf: (
    bench: Bench,
  ) => Promise<{ readonly tool: string; readonly output: unknown } | { readonly why: string }>,
): PluginCheck => ({
  id: 'stdio.output_schema',
  name: 'returns what its output_schema says',
  hint: 'Return what the output_schema of the tool says, or correct the schema: apps are typed by it.',
  async run(bench) {
    const call = await callOf(bench)
    if ('why' in call) return leftOut(call.why)
    const schema = await schemaOf(bench, call.tool)
    if (!schema) return leftOut(`${call.tool} has none`)
    const verdict = outputProblems(schema, call.output)
    if ('unchecked' in verdict) return leftOut(`its schema cannot be used here: ${verdict.unchecked}`)
    return verdict.problems.length === 0 ? passed(call.tool) : verdictOf(verdict.problems)
  },
})
