import { load } from '../lib/load.ts'
import type { Contender } from '../lib/pairs.ts'
import { type ServerProcess, startServer } from '../lib/server.ts'

const CONNECTIONS = 64
const CALLS = 4_000

/** A server that answers `window.heartbeat`, measured by its CPU time a request, in µs. Close its server. */
export interface GatewayContender extends Contender {
  readonly server: ServerProcess
}

/** Starts `file` of this folder with `args` in a process of its own. */
export async function startContender(
  name: string,
  file: string,
  ...args: readonly string[]
): Promise<GatewayContender> {
  const server = await startServer(new URL(file, import.meta.url), ...args)
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
    server,
    async block() {
      const before = await server.cpu()
      await load(server.port, request, CONNECTIONS, CALLS)
      return ((await server.cpu()) - before) / CALLS
    },
  }
}
