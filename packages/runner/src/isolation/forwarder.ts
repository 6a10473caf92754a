import { EGRESS } from './bubblewrap.ts'

/** The port of the proxy on the loopback of a plugin's own network. */
export const PROXY_PORT = 3128

/**
 * The script that carries connections of a plugin's own loopback to the socket of its way out. It runs behind the
 * plugin's walls and decides nothing; `egress.ts` does, outside.
 */
export const FORWARDER = `
const fs = require('node:fs')
const net = require('node:net')
net.createServer((from) => {
  const to = net.connect(${JSON.stringify(EGRESS)})
  for (const end of [from, to]) end.on('error', () => { from.destroy(); to.destroy() })
  from.pipe(to).pipe(from)
}).listen(${PROXY_PORT}, '127.0.0.1', () => {
  fs.closeSync(1)
  // Or a connection would get that number, and be taken for stdout.
  fs.openSync('/dev/null', 'w')
})`

/** What makes programs take the proxy; Node's own fetch since 24. */
export const proxyVariables: Readonly<Record<string, string>> = Object.fromEntries([
  ['NODE_USE_ENV_PROXY', '1'],
  ...['HTTP_PROXY', 'HTTPS_PROXY', 'http_proxy', 'https_proxy'].map((name) => [
    name,
    `http://127.0.0.1:${PROXY_PORT}`,
  ]),
])
