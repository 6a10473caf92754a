// For Node, Bun and Deno.

import process from 'node:process'
import { createInterface } from 'node:readline'

let n = 0
const tools = ['add', 'count', 'sleep'].map((name) => ({ name }))
const calls = {
  add: ({ a, b }) =>
    a === undefined ? { success: false, error: 'a is missing' } : { output: { sum: a + b } },
  count: () => ({ output: { n: ++n } }),
  sleep: () => new Promise((resolve) => setTimeout(resolve, 60_000)),
}
const missing = { error: { code: -32_601, message: 'no such method' } }
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line)
  if (id === undefined) continue
  const answer =
    method === 'describe'
      ? { result: { name: 'tea', tools } }
      : method === 'call'
        ? { result: await calls[params.name](params.args) }
        : missing
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...answer })}\n`)
}
