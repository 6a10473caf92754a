import type { Socket } from 'node:net'
import { type Limits, refuse } from '@svc/contract'
import { PACKET_HEAD_BYTES } from '@svc/contract/link-wire'
import { WebSocketServer } from 'ws'
import type { RunnerFront } from '../runners/runners.ts'
import type { UpgradeRoom } from './upgrades.ts'

const SCHEME = /^Bearer +(svcr_[\w-]+) *$/i

/** Opens the room of the links of machines: each shows its own token, and neither cookie nor `Origin` counts. */
export function openRunnerSockets(front: RunnerFront, limits: Limits): UpgradeRoom {
  const server = new WebSocketServer({
    ...{ noServer: true, clientTracking: false, perMessageDeflate: false },
    maxPayload: limits.LINK_PART_BYTES + PACKET_HEAD_BYTES,
  })
  return {
    async admit(head) {
      const token = SCHEME.exec(head.get('authorization') ?? '')?.[1]
      const record = token === undefined ? null : await front.bearerOf(token)
      if (!record)
        throw refuse('invalid_token', 'the token of the runner is missing, unknown or revoked', {
          hint: 'Enrol the machine anew and start it with the token of that.',
        })
      return ({ req, socket, first }) =>
        server.handleUpgrade(req, socket, first, (opened) => front.take(opened, socket as Socket, record))
    },
    leave: front.leave,
  }
}
