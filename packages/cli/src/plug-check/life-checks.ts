import type { LineId } from '@svc/contract/stdio'
import { broken, passed, verdictOf } from '../checks/check.ts'
import type { PluginCheck } from './bench.ts'
import { isReply, type Message } from './message.ts'
import type { PluginProcess } from './process.ts'

/** Asks `describe` and says what is wrong with how it was answered, or nothing. */
export async function describeProblem(plugin: PluginProcess, id: LineId = 'again'): Promise<string | null> {
  const answer = await plugin.ask({ id, method: 'describe' })
  return 'problem' in answer ? answer.problem : null
}

/** Lines that are no request. A host of another version, or a person at a terminal, may write any of them. */
const strangers: readonly (readonly [name: string, line: string | Uint8Array])[] = [
  ['an empty line', ''],
  ['a line of spaces', '   '],
  ['a line that is not JSON', 'hello'],
  ['half an object', '{"jsonrpc":"2.0",'],
  ['null', 'null'],
  ['a number', '42'],
  ['an array', '[]'],
  ['an object without a method', '{"jsonrpc":"2.0"}'],
  ['an answer that nobody waits for', '{"jsonrpc":"2.0","id":"nobody","result":{}}'],
  ['a cancel of a call that has ended', '{"jsonrpc":"2.0","method":"cancel","params":{"id":"nobody"}}'],
  ['a cancel without a call', '{"jsonrpc":"2.0","method":"cancel"}'],
  ['a cancel of no id', '{"jsonrpc":"2.0","method":"cancel","params":{"id":{}}}'],
  ['a notification that it does not know', '{"jsonrpc":"2.0","method":"svc/unknown"}'],
  ['bytes that are not UTF-8', Uint8Array.from([0x22, 0xff, 0xfe, 0x22])],
]

/** That the process lives as long as its stdin, whatever comes. */
export const lifeChecks: readonly PluginCheck[] = [
  {
    id: 'stdio.alive',
    name: 'stays alive after its first answer',
    hint: 'Read stdin in a loop until it ends; a process that ends after one answer is shown as stopped.',
    async run(bench) {
      const plugin = bench.open()
      await describeProblem(plugin, 'first')
      const problem = await describeProblem(plugin, 'second')
      return problem === null ? passed() : broken(`asked a second time, ${problem}`)
    },
  },
  {
    id: 'stdio.jsonrpc',
    name: 'echoes ids with their type',
    hint: 'Put the id of the request into the answer as it came: 7 is not "7".',
    async run(bench) {
      const plugin = bench.open()
      const problems: string[] = []
      for (const id of ['text', 7, '7', 'quotes " and €']) {
        plugin.expect(id)
        const answer = plugin.wait((message) => isReply(message), bench.limits.DESCRIBE_TIMEOUT_MS)
        plugin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method: 'describe' })}\n`)
        const came = await answer
        if ('problem' in came) return broken(`asked with the id ${JSON.stringify(id)}, ${came.problem}`)
        problems.push(...replyProblems(came.reply, id))
      }
      return verdictOf(problems)
    },
  },
  {
    id: 'stdio.alive',
    name: 'survives lines that are not requests',
    hint: 'Skip a line that is not a JSON object, and one that is not a request; log it on stderr and go on reading.',
    async run(bench) {
      const plugin = bench.open()
      const first = await describeProblem(plugin)
      if (first !== null) return broken(first)
      for (const [name, line] of strangers) {
        plugin.write(line)
        plugin.write('\n')
        const problem = await describeProblem(plugin, `after ${name}`)
        if (problem !== null) return broken(`asked after ${name}, ${problem}`)
      }
      return passed(`${strangers.length} kinds of them`)
    },
  },
]

/** What is wrong with the envelope of a reply to `id`. */
function replyProblems(reply: Message, id: LineId): string[] {
  const problems: string[] = []
  if (reply.id !== id)
    problems.push(
      `asked with the id ${JSON.stringify(id)}, it answered ${JSON.stringify(reply.id) ?? 'none'}`,
    )
  if (reply.result !== undefined && reply.error !== undefined && reply.error !== null)
    problems.push('an answer held a result and an error')
  return problems
}

/** That the process ends when its stdin does. */
export const endCheck: PluginCheck = {
  id: 'stdio.alive',
  name: 'ends with its stdin',
  hint: 'Leave the loop when stdin ends, and let nothing (a timer, a server, a thread) keep the process.',
  async run(bench) {
    const plugin = bench.open()
    const problem = await describeProblem(plugin)
    if (problem !== null) return broken(problem)
    const from = performance.now()
    const ending = await plugin.endInput(bench.limits.CANCEL_KILL_MS)
    if (!ending) return broken(`it still ran ${bench.limits.CANCEL_KILL_MS} ms after its stdin ended`)
    return ending.ok ? passed(`after ${Math.round(performance.now() - from)} ms`) : broken(ending.sentence)
  },
}
