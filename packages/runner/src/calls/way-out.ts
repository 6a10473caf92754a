import type { Server } from 'node:http'
import type { Limits } from '@svc/contract/limits'
import { mayReachTcp } from '@svc/contract/reach'
import type { LoopbackHost } from '@svc/node/public-fetch'
import type { Cell } from '../isolation/bubblewrap.ts'
import { openEgress, routeByReach } from '../isolation/egress.ts'
import { machineProxy } from '../isolation/machine-proxy.ts'
import type { Refused } from '../isolation/refusals.ts'
import type { CommandSpec } from '../port/runner.ts'

/** Opens the way out of a process behind walls, to what its reach names; nothing where that names no host. */
export function openWayOut(
  { reach, files }: CommandSpec,
  cell: Cell | undefined,
  {
    limits,
    allowLoopback,
    onRefused,
  }: {
    readonly limits: Limits
    readonly allowLoopback: readonly LoopbackHost[]
    readonly onRefused: (refused: Refused) => void
  },
): Server | undefined {
  if (cell?.egress === undefined) return undefined
  return openEgress({
    socket: cell.egress,
    limits,
    takesPlain: true,
    idleMs: ({ name, port }) =>
      mayReachTcp(reach, name, port) ? limits.EGRESS_TCP_IDLE_MS : limits.EGRESS_IDLE_MS,
    route: routeByReach({
      reach,
      allowLoopback,
      isOwn: files === undefined,
      machine: { ...machineProxy(process.env), lookupMs: limits.EGRESS_PROXY_LOOKUP_MS },
      onRefused,
    }),
  })
}
