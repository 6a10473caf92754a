import { load } from './lib/load.ts'
import { type Contender, compare } from './lib/pairs.ts'
import { type ServerProcess, startServer } from './lib/server.ts'

const CONNECTIONS = 64
const CALLS = 4_000
/** Short blocks, and many of them: a ratio is better the closer in time its two figures were taken. */
const BLOCKS = 60
/** Blocks that are not counted: until then the compiler's own threads are a part of a server's CPU time. */
const WARM_UP = 20

/** The gateway of the RPC endpoint: CPU time a request at 64 connections, `window.heartbeat`, tokens verified before. */
export async function benchGateway() {
  const servers: ServerProcess[] = []
  const contender = async (name: string, file: string, ...args: string[]): Promise<Contender> => {
    const server = await startServer(new URL(file, import.meta.url), ...args)
    servers.push(server)
    const { window, token, cookie } = server.ready
    const body = JSON.stringify({
      id: 'c12',
      window_uuid: window,
      ns: 'window',
      method: 'heartbeat',
      args: {},
    })
    const host = `127.0.0.1:${server.port}`
    const request = Buffer.from(
      `POST /api/v1/svc-apps/runtime/rpc HTTP/1.1\r\nhost: ${host}\r\norigin: http://${host}\r\ncookie: svc_signin=${cookie}\r\nx-svc-app-token: ${token}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
    )
    return {
      name,
      async block() {
        const before = await server.cpu()
        await load(server.port, request, CONNECTIONS, CALLS)
        return ((await server.cpu()) - before) / CALLS
      },
    }
  }
  try {
    const svc = await contender('svc', 'gateway/svc.ts')
    // What the real host handed out, so that all of them read the same head.
    const { token = '', cookie = '', window = '' } = servers[0]?.ready ?? {}
    const head = [token, cookie, window]
    return await compare({
      title: 'gateway: CPU a request at 64 connections',
      unit: 'µs',
      better: 'less',
      blocks: BLOCKS,
      warmUp: WARM_UP,
      base: await contender('bare node:http with the same checks', 'gateway/bare.ts', ...head),
      twin: await contender('bare', 'gateway/bare.ts', ...head),
      others: [
        svc,
        await contender('fastify (fewer checks)', 'gateway/frameworks.ts', ...head, 'fastify'),
        await contender('hono (fewer checks)', 'gateway/frameworks.ts', ...head, 'hono'),
      ],
    })
  } finally {
    await Promise.all(servers.map((server) => server.close()))
  }
}

if (import.meta.main) await benchGateway()
