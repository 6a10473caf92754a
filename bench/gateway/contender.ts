import { load } from '../lib/load.ts'
import type { Contender } from '../lib/pairs.ts'
import { type ServerProcess, startServer } from '../lib/server.ts'

const CONNECTIONS = 64
const CALLS = 4_000

/** A server that answers `window.heartbeat`, measured by its CPU time a request, in µs. Close its server. */
export interface GatewayContender extends Contender {
  readonly server: ServerProcess
}

/** A call of the window that a server has opened. */
export interface WindowCall {
  readonly ns: string
  readonly method: string
  readonly args: unknown
}

/** The request of a call to a server that has told its window, its token and its cookie. */
export function requestOf({ port, ready }: ServerProcess, { ns, method, args }: WindowCall): Buffer {
  const { window, token, cookie } = ready
  const body = JSON.stringify({ id: 'c12', window_uuid: window, ns, method, args })
  const host = `127.0.0.1:${port}`
  return Buffer.from(
    `POST /api/v1/svc-apps/runtime/rpc HTTP/1.1\r\nhost: ${host}\r\norigin: http://${host}\r\ncookie: svc_signin_${port}=${cookie}\r\nx-svc-app-token: ${token}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
  )
}

/** Starts `file` of this folder with `args` in a process of its own. */
export async function startContender(
  name: string,
  file: string,
  ...args: readonly string[]
): Promise<GatewayContender> {
  const server = await startServer(new URL(file, import.meta.url), ...args)
  const request = requestOf(server, { ns: 'window', method: 'heartbeat', args: {} })
  return {
    name,
    server,
    block: () => server.spent(CALLS, () => load(server.port, request, CONNECTIONS, CALLS)),
  }
}
