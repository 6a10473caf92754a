import { setTimeout as pause } from 'node:timers/promises'
import { broken, passed } from '../checks/check.ts'
import type { PluginCheck } from './bench.ts'
import { describeProblem } from './life-checks.ts'
import type { PluginProcess } from './process.ts'

/** A pause that makes two writes two reads on the other side. */
const PAUSE_MS = 20

const describeLine = (id: string, extra = '') =>
  `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"method":"describe"${extra}}\n`

/** Waits for the replies to all ids while `write` writes; says what is wrong with the first that is missing. */
async function missing(
  plugin: PluginProcess,
  ids: readonly string[],
  ms: number,
  write: () => unknown,
): Promise<string | null> {
  for (const id of ids) plugin.expect(id)
  const waits = ids.map((id) =>
    plugin.wait((message) => message.method === undefined && message.id === id, ms),
  )
  await write()
  const answers = await Promise.all(waits)
  const bad = answers.find((answer) => 'problem' in answer)
  return bad && 'problem' in bad ? bad.problem : null
}

/** That lines are what is between two line feeds, however they arrive and however long they are. */
export const lineChecks: readonly PluginCheck[] = [
  {
    id: 'stdio.lines',
    name: 'reads two lines of one write',
    hint: 'Split what you read at each line feed; a read may bring many lines.',
    async run(bench) {
      const plugin = bench.open()
      const problem = await missing(plugin, ['one', 'two'], bench.limits.DESCRIBE_TIMEOUT_MS, () =>
        plugin.write(describeLine('one') + describeLine('two')),
      )
      return problem === null ? passed() : broken(`asked twice in one write, ${problem}`)
    },
  },
  {
    id: 'stdio.lines',
    name: 'reads a line that comes in pieces',
    hint: 'Keep what came after the last line feed until the next one, as bytes: a read may end within a character.',
    async run(bench) {
      const plugin = bench.open()
      const first = await describeProblem(plugin)
      if (first !== null) return broken(first)
      const id = 'pieces €'
      const bytes = Buffer.from(describeLine(id))
      const within = bytes.indexOf(Buffer.from('€')) + 1
      const problem = await missing(plugin, [id], bench.limits.DESCRIBE_TIMEOUT_MS, async () => {
        for (const [from, to] of [
          [0, 5],
          [5, within],
          [within, bytes.length],
        ]) {
          plugin.write(bytes.subarray(from, to))
          await pause(PAUSE_MS)
        }
      })
      return problem === null ? passed() : broken(`asked in three pieces, ${problem}`)
    },
  },
  {
    id: 'decision.lines.lf_only',
    name: 'splits lines at the line feed alone',
    hint: 'JSON may hold U+2028, U+2029 and U+0085 as they are. Split at byte 0x0A; readline of Node and splitlines of Python split at these too.',
    async run(bench) {
      const plugin = bench.open()
      const id = 'a\u2028b\u2029c\u0085d'
      const problem = await missing(plugin, [id], bench.limits.DESCRIBE_TIMEOUT_MS, () =>
        plugin.write(describeLine(id)),
      )
      return problem === null
        ? passed()
        : broken(`asked with the id "a\\u2028b\\u2029c\\u0085d" unescaped, ${problem}`)
    },
  },
  {
    id: 'decision.lines.cap',
    name: 'reads a line as long as the cap',
    hint: 'A call may bring arguments of several MiB: read lines of any length up to the cap, and without copying all of it for each read.',
    async run(bench) {
      const cap = bench.limits.LINE_MAX_BYTES
      const plugin = bench.open()
      const first = await describeProblem(plugin)
      if (first !== null) return broken(first)
      const empty = describeLine('big', ',"params":{"padding":""}')
      const line = describeLine('big', `,"params":{"padding":"${'x'.repeat(cap + 1 - empty.length)}"}`)
      const from = performance.now()
      const problem = await missing(plugin, ['big'], bench.limits.DESCRIBE_TIMEOUT_MS, () =>
        plugin.write(line),
      )
      return problem === null
        ? passed(`${cap} bytes in ${Math.round(performance.now() - from)} ms`)
        : broken(`asked in a line of ${cap} bytes, ${problem}`)
    },
  },
]
