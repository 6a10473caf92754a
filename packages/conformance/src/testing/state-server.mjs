// An MCP server with a state: it counts its calls, and may have more tools later; of one it says nothing.
import { existsSync } from 'node:fs'
import { createInterface } from 'node:readline'

let n = 0
let extra = 0
const write = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
const names = () => [
  'count',
  'more',
  ...Array.from({ length: extra }, (_, at) => `extra-${at + 1}`),
  ...(existsSync(process.env.LATE_FILE ?? '') ? ['late'] : []),
]

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line)
  if (id === undefined) return
  if (method === 'initialize')
    write({
      id,
      result: {
        protocolVersion: params.protocolVersion,
        capabilities: { tools: { listChanged: true } },
        serverInfo: { name: 'state', version: '1.0.0' },
      },
    })
  else if (method === 'tools/list')
    write({ id, result: { tools: names().map((name) => ({ name, inputSchema: { type: 'object' } })) } })
  else {
    n += 1
    if (params.name === 'more') {
      extra += 1
      for (let told = 0; told < 100; told++) write({ method: 'notifications/tools/list_changed' })
    }
    write({ id, result: { content: [], structuredContent: { n } } })
  }
})
