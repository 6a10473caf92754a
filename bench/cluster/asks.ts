import { Agent, request } from 'node:http'
import { compare, type Outcome } from '../lib/pairs.ts'
import { type ServerProcess, startServer } from '../lib/server.ts'
import { inLanes, type Servers } from './servers.ts'

const BODY = JSON.stringify({ ns: 'window', method: 'heartbeat', args: { text: 'x'.repeat(400) } })
const AT_ONCE = [1, 32]
const ASKS = 640
const WAIT_MS = 60_000

/** A question to a host of another process, beside a POST of the same body over connections that are kept. */
export async function compareAsks(servers: Servers): Promise<Outcome[]> {
  const cluster = await servers.open()
  const peer = await startServer(new URL('peer.ts', import.meta.url), servers.postgres.url, servers.redis.url)
  const bare = await startServer(new URL('bare-peer.ts', import.meta.url))
  const agent = new Agent({ keepAlive: true, maxFreeSockets: 64 })
  const ask = () => cluster.bus.ask(peer.ready.host ?? '', 'echo', BODY, { deadline: Date.now() + WAIT_MS })
  try {
    const outcomes: Outcome[] = []
    for (const lanes of AT_ONCE) {
      const contender = (name: string, work: () => Promise<unknown>) => ({
        name,
        async block() {
          const from = performance.now()
          await inLanes(lanes, ASKS, work)
          return ((performance.now() - from) * lanes) / ASKS
        },
      })
      outcomes.push(
        await compare({
          title: `a question from host to host, ${BODY.length} bytes each way, ${lanes} at once`,
          unit: 'ms',
          better: 'less',
          aaWithin: 0.1,
          base: contender('bare node:http POST', () => post(agent, bare)),
          twin: contender('bare twin', () => post(agent, bare)),
          others: [contender('svc: signed, with a deadline', ask)],
        }),
      )
    }
    return outcomes
  } finally {
    agent.destroy()
    await peer.close()
    await bare.close()
    await cluster.close()
  }
}

function post(agent: Agent, { port }: ServerProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-length': Buffer.byteLength(BODY) }
    const req = request({ agent, port, host: '127.0.0.1', method: 'POST', headers }, (res) => {
      const parts: Buffer[] = []
      res.on('data', (part: Buffer) => parts.push(part))
      res.on('end', () => resolve(Buffer.concat(parts).toString()))
    })
    req.on('error', reject)
    req.end(BODY)
  })
}
