import type { Socket } from 'node:net'
import { type Limits, refuse } from '@svc/contract'
import { PACKET_HEAD_BYTES } from '@svc/runner/link'
import type { Limiter } from '../../kernel/limiter/limiter.ts'
import type { Readers } from '../../kernel/stalled.ts'
import type { OpenRunners } from '../../machines/runners.ts'
import type { Guard } from '../guard.ts'
import { openSocketServer } from './socket-server.ts'
import type { UpgradeHandler } from './upgrades.ts'

const SCHEME = /^Bearer +(svcr_[\w-]+) *$/i

/** What the links of machines need. */
export interface RunnerSocketsParts {
  readonly front: OpenRunners['front']
  readonly guard: Pick<Guard, 'isListed'>
  readonly readers: Readers
  readonly limits: Limits
  readonly limiter: Limiter
}

/** Opens the links of machines: each shows its own token, and neither cookie nor `Origin` counts. */
export function openRunnerSockets({
  front,
  guard,
  readers,
  limits,
  limiter,
}: RunnerSocketsParts): UpgradeHandler {
  const server = openSocketServer({
    perMessageDeflate: false,
    maxPayload: limits.LINK_PART_BYTES + PACKET_HEAD_BYTES,
  })
  return {
    async admit(head) {
      limiter.checkUnspent('refused', head)
      const token = SCHEME.exec(head.get('authorization') ?? '')?.[1]
      const bearer = token === undefined ? null : await front.bearerOf(token)
      if (!bearer) {
        limiter.consumeFrom('refused', head)
        throw refuse('invalid_token', 'the token of the runner is missing, unknown or revoked', {
          hint: 'Enrol the machine again and start it with the new token.',
        })
      }
      const ready = await server()
      const isOwnName = (name: string) => name === head.get('host') || guard.isListed(name)
      return ({ req, socket, first }) =>
        ready.handleUpgrade(req, socket, first, (opened) => {
          // What a machine sends is a sign of life, and says nothing of what it reads.
          readers.watch(req.socket, () => socket.destroyed)
          front.take(opened, socket as Socket, { bearer, isOwnName })
        })
    },
    leave() {},
    drain: front.drain,
  }
}
