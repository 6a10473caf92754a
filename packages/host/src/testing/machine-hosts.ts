import { type FrozenClock, frozenClock } from '@svc/node/testing'
import type { CallInput, CallOutcome } from '@svc/runner'
import { memoryBlobs, memoryBus, memoryStore } from '@svc/state'
import { pino } from 'pino'
import { createHost } from '../create-host.ts'
import type { Host } from '../host.ts'
import type { RunnerLink } from '../machines/runners.ts'
import type { HostOptions } from '../settings.ts'
import { plugin } from './runner-host.ts'
import { openMachine, type RawMachine, type RawMachineOptions } from './runner-machine.ts'

/** One of several hosts over one store, bus and blobs. */
export interface MachineHost {
  readonly host: Host
  /** Its own clock: a test may stop it alone. */
  readonly clock: FrozenClock
  readonly port: number
  /** The link of ada's machine, whichever host has it. */
  link(): Promise<RunnerLink>
  call(more?: Partial<CallInput>): Promise<CallOutcome>
  /** Connects ada's machine to it, and waits for its welcome. */
  online(more?: RawMachineOptions): Promise<RawMachine>
}

/** Hosts on loopback over one store, bus and blobs; ada enrolled a machine that a test speaks for. Close them. */
export async function openMachineHosts(count: number, options: HostOptions = {}) {
  const clock = frozenClock()
  const shared = {
    store: memoryStore(),
    bus: memoryBus({ clock }),
    blobs: memoryBlobs(),
    secret: 's'.repeat(32),
    logger: pino({ level: 'silent' }),
    ...options,
  }
  const machines: RawMachine[] = []
  let enrolled: { readonly runner_id: string; readonly token: string } | undefined
  let calls = 0

  async function open(): Promise<MachineHost> {
    const own = frozenClock(clock.now())
    const host = createHost({ signIn: 'dev', runner: null, models: null, ...shared, clock: own })
    const { port } = await host.listen(0)
    await host.users.ensure('ada')
    enrolled ??= await host.runners.enrol('ada', { name: 'A laptop' })
    const { token } = enrolled
    const link: MachineHost['link'] = async () => {
      await host.runners.refresh('ada')
      const [one] = host.runners.online('ada')
      if (!one) throw new Error('no runner of ada is online')
      return one
    }
    return {
      host,
      clock: own,
      port,
      link,
      async call(more = {}) {
        const { runner } = await link()
        return runner.call({
          userId: 'ada',
          plugin,
          tool: 'echo',
          args: {},
          invokeId: `inv_${++calls}`,
          timeoutMs: 20_000,
          deadlineMs: own.now() + 20_000,
          graceMs: 0,
          maxResultBytes: 1_000,
          ...more,
        })
      },
      async online(more = {}) {
        const machine = await openMachine(port, token, more)
        machines.push(machine)
        await machine.hear('welcome')
        return machine
      },
    }
  }
  const hosts: MachineHost[] = []
  for (let n = 0; n < count; n += 1) hosts.push(await open())
  const [first] = hosts
  if (!enrolled || !first) throw new Error('there must be a host')
  return {
    ...shared,
    hosts,
    /** Every connection of the machine, in the order in which they opened. */
    machines,
    runnerId: enrolled.runner_id,
    /** Moves the clocks of all hosts on, or of these. */
    async advance(ms: number, those: readonly MachineHost[] = hosts) {
      await clock.advance(ms)
      for (const one of those) await one.clock.advance(ms)
    },
    async close() {
      for (const { ws } of machines) ws.terminate()
      for (const { host } of hosts) await host.close()
      await shared.bus.close()
    },
  }
}
