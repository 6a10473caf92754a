import { connect as connectTcp, isIP, type Socket } from 'node:net'
import type { buildConnector } from 'undici'

/** Where a connection goes: to one of the addresses, all of them judged before. */
export interface Destination {
  /** The name that the certificate must have; an address where the URL has one. */
  readonly name: string
  readonly addresses: readonly string[]
  readonly port: number
  readonly signal: AbortSignal
}

/** Opens a socket to one of the addresses of a destination, and to no other. */
export type Dial = (to: Destination) => Socket

/** Asks nobody for addresses: Node tries the judged ones in turn. */
export const dialChecked: Dial = ({ name, addresses, port, signal }) =>
  connectTcp({
    host: name,
    port,
    signal,
    autoSelectFamily: true,
    lookup: (_name, _options, answer) =>
      answer(
        null,
        addresses.map((address) => ({ address, family: isIP(address) })),
      ),
  })

/** The connector of one request: TLS where the URL says so, checked against the name whatever the environment says. */
export const connectorTo =
  (to: Destination, dial: Dial, ca: string | undefined): buildConnector.connector =>
  ({ protocol }, done) => {
    const bare = dial(to)
    const secure = protocol === 'https:'
    // Not by an import: who fetches nothing by TLS does without its 2 MB.
    const socket = secure
      ? process.getBuiltinModule('node:tls').connect({
          socket: bare,
          host: to.name,
          ...(isIP(to.name) === 0 && { servername: to.name }),
          ALPNProtocols: ['http/1.1'],
          rejectUnauthorized: true,
          ca,
        })
      : bare
    // TLS and the socket below it may both tell of one failure, and the listener stays for what comes later.
    let tell: buildConnector.Callback | null = done
    const failed = (error: Error) => {
      tell?.(error, null)
      tell = null
      socket.destroy()
    }
    socket.on('error', failed)
    bare.on('error', failed)
    socket.once(secure ? 'secureConnect' : 'connect', () => {
      tell?.(null, socket)
      tell = null
    })
  }
