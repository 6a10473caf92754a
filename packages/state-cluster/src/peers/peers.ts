import { randomBytes } from 'node:crypto'
import type { Clock } from '@svc/node'
import { type Bus, memoryBus, type Stop } from '@svc/state'
import { BusError, makeWaits } from '@svc/state/driver'
import type { Directory } from './directory.ts'
import { SIGNS, type Signs } from './headers.ts'
import { openPeerClient } from './peer-client.ts'
import { openPeerServer } from './peer-server.ts'
import { openSignatures } from './signature.ts'

/** Where this process answers other hosts. */
export interface PeersListen {
  /** The address that it listens on; default `127.0.0.1`, for hosts on one machine. */
  readonly address?: string | undefined
  /** Default 0: a free port. */
  readonly port?: number | undefined
  /** Where the others reach it; default: made of address and port. */
  readonly url?: string | undefined
}

/** What the questions between hosts are made of. */
export interface PeersOptions {
  readonly directory: Directory
  /** What all hosts know, and nobody else. */
  readonly secret: string
  readonly listen?: PeersListen | undefined
  readonly clock: Clock
  readonly signs?: Signs | undefined
}

/** What of a bus asks and answers. */
export interface Peers extends Pick<Bus, 'ask' | 'answer' | 'close'> {
  /** Says that this process goes on, and removes what is left of those that were killed. */
  upkeep(): Promise<void>
}

/**
 * Questions from host to host, over HTTP. A question to a host of this process stays in it. Each is signed, for one life
 * of the host that is asked, so that who restarts never answers for who was before.
 */
export async function openPeers({
  directory,
  secret,
  listen = {},
  clock,
  signs = SIGNS,
}: PeersOptions): Promise<Peers> {
  const { address = '127.0.0.1', port = 0 } = listen
  const life = randomBytes(9).toString('base64url')
  const signatures = openSignatures(secret)
  const local = memoryBus({ clock })
  const waits = makeWaits(clock)
  const client = openPeerClient(signatures, signs)
  /** How many kinds this process answers, by host. */
  const own = new Map<string, number>()
  /** Its hosts that have a row, or are about to. */
  const announced = new Map<string, Promise<void>>()
  const server = await openPeerServer({
    listen: { address, port },
    life,
    signatures,
    isOwn: (hostId) => own.has(hostId),
    ask: local.ask,
    clock,
    signs,
  })
  const url = listen.url ?? `http://${address.includes(':') ? `[${address}]` : address}:${server.port}`
  let closing: Promise<void> | null = null

  function announce(hostId: string): Promise<void> {
    const begun = announced.get(hostId) ?? directory.put(hostId, { url, life })
    announced.set(hostId, begun)
    begun.catch(() => announced.delete(hostId))
    return begun
  }

  async function close(): Promise<void> {
    waits.close()
    await local.close()
    client.close()
    await server.close()
    // A row that stays is one day's litter: who asks at its address hears that nobody is there.
    for (const hostId of announced.keys()) await directory.take(hostId, life).catch(() => {})
  }

  return {
    async ask(hostId, kind, body, options) {
      if (closing) throw new BusError('closed', 'the bus is closed')
      if (own.has(hostId)) return local.ask(hostId, kind, body, options)
      return waits.wait(`${kind} to ${hostId}`, options, async (signal) => {
        const known = await directory.get(hostId)
        if (!known) throw new BusError('no_host', `no host ${hostId} answers ${kind}`)
        const waitMs = Math.max(1, options.deadline - clock.now())
        try {
          return await client.ask(known, hostId, kind, body, { waitMs, signal })
        } catch (error) {
          if (error instanceof BusError && error.code === 'no_host') directory.forget(hostId)
          throw error
        }
      })
    },
    async answer(hostId, kind, handler) {
      const stop = await local.answer(hostId, kind, handler)
      try {
        await announce(hostId)
      } catch (error) {
        stop()
        throw error
      }
      own.set(hostId, (own.get(hostId) ?? 0) + 1)
      let isStopped = false
      const stopOnce: Stop = () => {
        stop()
        const left = (own.get(hostId) ?? 1) - (isStopped ? 0 : 1)
        isStopped = true
        if (left > 0) own.set(hostId, left)
        else own.delete(hostId)
      }
      return stopOnce
    },
    async upkeep() {
      // A row that others took for litter, or that a new primary lost, is there again.
      for (const hostId of own.keys()) await directory.put(hostId, { url, life })
      await directory.sweep()
    },
    close() {
      closing ??= close()
      return closing
    },
  }
}
