import type { CallInput, InstalledSpec, JobInput } from '@svc/runner'
import { pino } from 'pino'
import { createHost } from '../create-host.ts'
import type { HostOptions } from '../settings.ts'
import { openMachine, type RawMachine, type RawMachineOptions } from './runner-machine.ts'

/** A plugin as every call here names it. */
export const plugin: InstalledSpec = {
  id: 'tool-ada-remote-1',
  version: '1.0.0',
  distribution: { type: 'local', path: '/remote' },
}

/** A host on loopback where ada enrolled a machine that a test speaks for. */
export async function openMachineHost(options: HostOptions = {}) {
  const logger = pino({ level: 'silent' })
  const host = createHost({ signIn: 'dev', runner: null, models: null, logger, ...options })
  const { port } = await host.listen(0)
  await host.users.ensure('ada')
  const { runner_id: runnerId, token } = await host.runners.enrol('ada', { name: 'A laptop' })
  let calls = 0
  const machines: RawMachine[] = []

  const link = () => {
    const [one] = host.runners.online('ada')
    if (!one) throw new Error('no runner of ada is online')
    return one
  }
  const asked = (more: Partial<CallInput> = {}): CallInput => ({
    userId: 'ada',
    plugin,
    tool: 'echo',
    args: {},
    invokeId: `inv_${++calls}`,
    timeoutMs: 20_000,
    deadlineMs: Date.now() + 20_000,
    graceMs: 0,
    maxResultBytes: 1_000,
    ...more,
  })
  return {
    host,
    port,
    runnerId,
    token,
    link,
    asked,
    async connect(more: RawMachineOptions = {}) {
      const machine = await openMachine(port, token, more)
      machines.push(machine)
      return machine
    },
    /** Connects, and waits for its welcome. */
    async online(more: RawMachineOptions = {}) {
      const machine = await openMachine(port, token, more)
      machines.push(machine)
      await machine.hear('welcome')
      return machine
    },
    call: (more: Partial<CallInput> = {}) => link().runner.call(asked(more)),
    job(more: Partial<JobInput> = {}) {
      const told: unknown[] = []
      const outcome = link().runner.job({
        userId: 'ada',
        plugin,
        tool: 'build',
        args: {},
        jobId: `tjob_${++calls}`,
        timeoutMs: 60_000,
        deadlineMs: Date.now() + 60_000,
        maxResultBytes: 1_000,
        signal: new AbortController().signal,
        onStarted: () => void told.push('started'),
        onProgress: ({ type, json }) => void told.push([type, JSON.parse(json)]),
        onDropped: (count) => void told.push(count),
        onHeartbeat: () => void told.push('beat'),
        ...more,
      })
      return { told, outcome }
    },
    async close() {
      for (const { ws } of machines) ws.terminate()
      await host.close()
    },
  }
}
