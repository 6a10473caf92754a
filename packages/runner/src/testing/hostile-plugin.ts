// A plugin that tries to get out, or takes all there is. Each tool is one attack; it answers with what that got.
import { randomUUID } from 'node:crypto'
import { createInterface } from 'node:readline'
import type { Attack } from './attack-tools.ts'
import { attacks } from './attacks.ts'
import { floods, stealthyFloods } from './floods.ts'

const stealthy = Object.fromEntries(Object.entries(stealthyFloods).map(([name, [attack]]) => [name, attack]))
const all: Readonly<Record<string, Attack>> = { ...attacks, ...floods, ...stealthy }

/** Another in each process. */
const by = randomUUID()

const put = (message: object) => console.log(JSON.stringify({ jsonrpc: '2.0', ...message }))
createInterface({ input: process.stdin }).on('line', async (line) => {
  const { id, params } = JSON.parse(line)
  const output = await Promise.resolve()
    .then(() => (all[params.name] ?? (() => 'there is no such attack'))(params.args))
    .catch(() => null)
  put({ id, result: { output: { got: output ?? null, by } } })
})
