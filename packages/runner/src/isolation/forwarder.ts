import { EGRESS } from './bubblewrap.ts'

/** The port of the proxy on the loopback of a plugin's own network. */
export const PROXY_PORT = 3128

/** Where a server of its reach listens for a plugin: an address and port of its own loopback, and what that stands for. */
export type Listener = readonly [address: string, port: number, server: string]

/** The first port that a program without rights may listen on, and where the ones below it are. */
const FIRST_PORT = 1_024
const LOW_PORTS_AT = 40_000

/**
 * Where the servers of a reach listen on a plugin's own loopback, each name at an address of its own, and the lines of its
 * `/etc/hosts` for these.
 */
export function listenersOf(tcp: readonly string[] = []): {
  readonly listeners: readonly Listener[]
  readonly hosts: string
} {
  const addresses = new Map<string, string>()
  const listeners = [...new Set(tcp.map((server) => server.toLowerCase()))].flatMap((server): Listener[] => {
    const [name = '', digits] = server.split(':')
    const port = Number(digits) < FIRST_PORT ? Number(digits) + LOW_PORTS_AT : Number(digits)
    if (name === 'localhost' || name === '127.0.0.1')
      return ['127.0.0.1', '::1'].map((address) => [address, port, server])
    const address = addresses.get(name) ?? `127.0.1.${addresses.size + 1}`
    addresses.set(name, address)
    return [[address, port, server]]
  })
  const lines = [...addresses].map(([name, address]) => `${address} ${name}\n`)
  return { listeners, hosts: lines.join('') }
}

/**
 * The script that carries connections of a plugin's own loopback to the socket of its way out: what comes to the proxy as
 * it is, and what comes to a server of its reach behind a wish to go there. It runs behind the plugin's walls and decides
 * nothing; `egress.ts` does, outside. Its word is the list of servers, as JSON.
 */
export const FORWARDER = `
const fs = require('node:fs')
const net = require('node:net')
const all = [['127.0.0.1', ${PROXY_PORT}, null], ...JSON.parse(process.argv[1])]
let closed = all.length
const ready = () => {
  if (--closed > 0) return
  fs.closeSync(1)
  // Or a connection would get that number, and be taken for stdout.
  fs.openSync('/dev/null', 'w')
}
const wish = (to, server, done) => {
  to.write('CONNECT ' + server + ' HTTP/1.1\\r\\nhost: ' + server + '\\r\\n\\r\\n')
  let head = ''
  const read = (piece) => {
    head += piece.toString('latin1')
    const end = head.indexOf('\\r\\n\\r\\n')
    if (end === -1) return
    to.off('data', read).pause()
    done(head.startsWith('HTTP/1.1 200'), Buffer.from(head.slice(end + 4), 'latin1'))
  }
  to.on('data', read)
}
for (const [address, port, server] of all) net.createServer((from) => {
  const to = net.connect(${JSON.stringify(EGRESS)})
  for (const end of [from, to]) end.on('error', () => { from.destroy(); to.destroy() })
  const carry = () => from.pipe(to).pipe(from)
  if (server === null) return carry()
  to.on('close', () => from.destroy())
  wish(to, server, (isOpen, rest) => {
    if (!isOpen) return from.destroy()
    from.write(rest)
    carry()
  })
}).on('error', ready).listen(port, address, ready)`

/** What makes programs take the proxy; Node's own fetch since 24. Their own loopback they reach without it. */
export const proxyVariables: Readonly<Record<string, string>> = Object.fromEntries([
  ['NODE_USE_ENV_PROXY', '1'],
  ...['HTTP_PROXY', 'HTTPS_PROXY', 'http_proxy', 'https_proxy'].map((name) => [
    name,
    `http://127.0.0.1:${PROXY_PORT}`,
  ]),
  ...['NO_PROXY', 'no_proxy'].map((name) => [name, 'localhost,127.0.0.1,::1']),
])
