import { Agent, request } from 'node:http'
import { setTimeout as rest } from 'node:timers/promises'
import { callOf, type Target } from './target.ts'

const RPC = '/api/v1/svc-apps/runtime/rpc'
const GAP_MS = 10
const TOOL = { tool_id: 'bench', method: 'echo', args: { city: 'Turin' } }

/** How the second user fared: calls that were refused or broke count as failed. */
export interface Fared {
  readonly p99: number
  readonly calls: number
  readonly failed: number
}

/** Works for a while as a user does, one call after the other: signs of life, storage, a tool. */
export async function work(target: Target, ms: number): Promise<Fared> {
  const { ada, port } = target
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const origin = `http://127.0.0.1:${port}`
  const headers = {
    cookie: ada.cookie,
    'x-svc-app-token': ada.token,
    origin,
    'content-type': 'application/json',
  }
  const bodies = [
    callOf(ada, 'window', 'heartbeat', {}),
    callOf(ada, 'storage', 'set', { key: 'note', value: 'text' }),
    callOf(ada, 'storage', 'get', { key: 'note' }),
    callOf(ada, 'tools', 'invoke', TOOL),
  ]
  const call = (body: string) =>
    new Promise<boolean>((resolve) => {
      const asking = request(
        { host: '127.0.0.1', port, path: RPC, method: 'POST', headers, agent },
        (answer) => {
          answer.resume().on('end', () => resolve(answer.statusCode === 200))
        },
      )
      asking.on('error', () => resolve(false)).end(body)
    })
  const times: number[] = []
  let failed = 0
  const until = performance.now() + ms
  for (let at = 0; performance.now() < until; at += 1) {
    const start = performance.now()
    if (!(await call(bodies[at % bodies.length] ?? ''))) failed += 1
    times.push(performance.now() - start)
    await rest(GAP_MS)
  }
  agent.destroy()
  times.sort((a, b) => a - b)
  return { p99: times[Math.floor(times.length * 0.99)] ?? Number.NaN, calls: times.length, failed }
}
