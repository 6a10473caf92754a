import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { breakOff } from './break-off.ts'

/** Which way bytes go: to the server, or back. */
export type Direction = 'to' | 'from'

/** The network before a server, with what can go wrong in it. */
export interface FaultyRelay {
  readonly port: number
  /** Connections that stand. */
  readonly connections: number
  /** How long each piece is on its way, one way, in ms. */
  delayMs: number
  /** Breaks off what stands each time that so many pieces went to the server; 0: never. */
  cutEvery: number
  /** Breaks off what stands. New connections are let through, unless it refuses. */
  cut(): void
  /** Breaks off what stands and what is tried, until `mend`. */
  refuse(): void
  /** Carries nothing more in these directions and tells nobody; new connections are taken, and as silent. */
  hush(directions: readonly Direction[]): void
  /** Lets new connections through. What was hushed has lost bytes: it is broken off. */
  mend(): void
  close(): Promise<void>
}

/** Opens a relay before a server on loopback. */
export async function openFaultyRelay(serverPort: number): Promise<FaultyRelay> {
  const pairs = new Map<Socket, Socket>()
  let hushed: readonly Direction[] = []
  let refuses = false
  const state = { delayMs: 0, cutEvery: 0 }
  let carried = 0

  function cut(): void {
    for (const near of pairs.keys()) breakOff(near)
  }

  /** Every piece waits as long as the others, so that they stay in order. */
  function carry(from: Socket, to: Socket, direction: Direction): void {
    from.on('data', (piece: Buffer) => {
      if (hushed.includes(direction)) return
      if (direction === 'to') carried += 1
      if (state.cutEvery > 0 && carried >= state.cutEvery) {
        carried = 0
        cut()
        return
      }
      if (state.delayMs === 0) to.write(piece)
      else setTimeout(() => to.writable && to.write(piece), state.delayMs)
    })
  }

  const server = createServer({ noDelay: true }, (near) => {
    near.on('error', () => {})
    if (refuses) {
      breakOff(near)
      return
    }
    const far = connect({ port: serverPort, host: '127.0.0.1', noDelay: true })
    const end = () => {
      pairs.delete(near)
      breakOff(near)
      breakOff(far)
    }
    far.on('error', end)
    near.on('close', end)
    far.on('close', end)
    pairs.set(near, far)
    carry(near, far, 'to')
    carry(far, near, 'from')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    port,
    get connections() {
      return pairs.size
    },
    get delayMs() {
      return state.delayMs
    },
    set delayMs(ms) {
      state.delayMs = ms
    },
    get cutEvery() {
      return state.cutEvery
    },
    set cutEvery(pieces) {
      state.cutEvery = pieces
    },
    cut,
    refuse() {
      refuses = true
      cut()
    },
    hush(directions) {
      hushed = directions
    },
    mend() {
      refuses = false
      if (hushed.length > 0) cut()
      hushed = []
    },
    async close() {
      cut()
      server.close()
      await once(server, 'close')
    },
  }
}
