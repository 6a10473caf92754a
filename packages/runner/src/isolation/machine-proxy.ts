import type { Socket } from 'node:net'
import { nodeHttp } from '@svc/node'
import type { Destination } from './egress.ts'

/** The proxy that leads out of this machine. */
export interface MachineProxy {
  /** Nothing where the machine needs none. */
  readonly proxy: URL | undefined
  /** Whether a host is reached without it. */
  readonly isDirect: (host: string) => boolean
}

const NAMES = ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy']

/** Reads how this machine gets out, from its environment, else from what settings say. */
export function machineProxy(outer: NodeJS.ProcessEnv, told: readonly string[] = []): MachineProxy {
  const [proxy] = [...NAMES.flatMap((name) => outer[name] || []), ...told]
  return {
    proxy: (proxy && URL.parse(/^\w+:\/\//.test(proxy) ? proxy : `http://${proxy}`)) || undefined,
    isDirect: directBy(outer.NO_PROXY ?? outer.no_proxy ?? ''),
  }
}

/** Reads `NO_PROXY`: names with what lies below them, `*` for all. */
function directBy(list: string): (host: string) => boolean {
  const names = list
    .split(',')
    .map((name) =>
      name
        .trim()
        .toLowerCase()
        .replace(/^\*?\./, ''),
    )
    .filter(Boolean)
  return (host) => names.some((name) => name === '*' || host === name || host.endsWith(`.${name}`))
}

/** Asks a proxy of the machine for a connection. */
export function overProxy(proxy: URL, { name, port, signal }: Destination): Promise<Socket | string> {
  const { hostname, username, password, protocol } = proxy
  if (protocol !== 'http:')
    return Promise.resolve(`the proxy of this machine must begin with http://, got ${protocol}//`)
  const login = [username, password].map(decodeURIComponent).join(':')
  const request = nodeHttp().request({
    host: hostname.replace(/^\[|\]$/g, ''),
    port: Number(proxy.port || 80),
    method: 'CONNECT',
    path: `${name}:${port}`,
    headers: {
      host: `${name}:${port}`,
      ...(username && { 'proxy-authorization': `Basic ${Buffer.from(login).toString('base64')}` }),
    },
    agent: false,
    signal,
  })
  return new Promise((resolve, reject) => {
    request.on('connect', ({ statusCode }, socket, head) => {
      if (head.length > 0) socket.unshift(head)
      if (statusCode === 200) return resolve(socket as Socket)
      socket.destroy()
      resolve(`the proxy of this machine refuses ${name}:${port} with ${statusCode}`)
    })
    request.on('response', (answer) => {
      answer.resume()
      resolve(`the proxy of this machine refuses ${name}:${port} with ${answer.statusCode}`)
    })
    request.on('error', reject)
    request.end()
  })
}
