import type { HostOptions } from '@svc/host'
import { afterEach, beforeEach, expect } from 'vitest'
import { verifies } from '../verifies.ts'
import { openTestHost, type TestHost, type TestWindow } from './host.ts'
import type { HostProcess } from './host-process.ts'
import { openRemoteBed, type RemoteBed } from './remote.ts'

/** What two hosts share, as each of them takes it. */
export interface TwoHosts {
  readonly there: SharedPorts
  readonly here: SharedPorts
  close(): Promise<void>
}
type SharedPorts = Required<Pick<HostOptions, 'store' | 'bus' | 'blobs' | 'secret'>>

/** What a lost link ran has failed by then. */
const WITHIN_MS = 5_000
const tools = ['echo', 'hang', 'keep', 'tells'].map((name) => ({ name, description: name, parameters: [] }))

/** What two hosts must do for a machine that is linked to one of them, and used at the other. */
export function remoteElsewhereSuite(open: () => Promise<TwoHosts>): void {
  /** The host that has the link, the one whose page calls, and the machine in a process of its own. */
  let there: RemoteBed
  let here: TestHost
  let machine: HostProcess
  let window: TestWindow
  let tool_id: string
  let shared: TwoHosts

  beforeEach(async () => {
    shared = await open()
    there = await openRemoteBed(shared.there)
    here = await openTestHost({ ...shared.here, grants: { upload_grant: true } })
    const made = await here.host.publishing.create('ada', {
      name: 'Remote',
      type: 'tool',
      manifest: { name: 'remote', tools, host_capabilities: ['host.upload'] },
      distribution: { type: 'local', path: '/remote' },
    })
    tool_id = made.tool_id
    const host_api = { tools: [], upload: ['*'] }
    await here.pushDraft({ required_plugs: [tool_id], host_api })
    window = await here.openWindow()
    machine = there.start()
    await machine.line('online-1')
    await expect.poll(statusHere, { timeout: 20_000 }).toEqual(tools.map(() => 'available'))
  })
  afterEach(async () => {
    await here.close()
    await there.close()
    await shared.close()
  })

  async function call<T>(method: string, args: object = {}): Promise<T> {
    const answer = await window.call('tools', method, args)
    if (!answer.ok) throw Object.assign(new Error(answer.error.message), answer.error)
    return answer.result as T
  }
  const statusHere = async () =>
    (await call<{ tools: { status: string }[] }>('list')).tools.map(({ status }) => status)
  const invoke = (method: string, args: object = {}) => call('invoke', { tool_id, method, args })
  const start = async (method: string, args: object = {}) =>
    (await call<{ jobId: string }>('invokeAsync', { tool_id, method, args })).jobId
  const jobOf = (jobId: string) => call<{ state: string; lastSeq: number }>('getJob', { jobId })
  const grandchildren = () => machine.plugins().filter(({ command }) => command.startsWith('sleep')).length

  verifies(
    ['machine.elsewhere.serves', 'machine.elsewhere.asks', 'machine.elsewhere.jobs', 'link.once'],
    'a page at one host uses the machine of another: calls, what its plugins ask, and jobs with their cancel',
    async () => {
      expect(await invoke('echo', { n: 1 })).toMatchObject({ n: 1 })
      const { file } = (await invoke('keep', { bytes: 5 })) as { file: { file_ref: string } }
      expect(file).toMatchObject({ file_ref: expect.stringMatching(/^file_/) })

      const told = await start('tells', { count: 3 })
      await expect
        .poll(() => jobOf(told))
        .toMatchObject({ state: 'succeeded', result: { told: 3 }, lastSeq: 3 })

      const hangs = await start('hang')
      await expect.poll(() => jobOf(hangs)).toMatchObject({ state: 'running', lastSeq: 1 })
      expect(grandchildren()).toBe(1)
      expect(await call('cancelJob', { jobId: hangs })).toMatchObject({ state: 'cancelled', cancelled: true })
      await expect.poll(grandchildren, { timeout: WITHIN_MS }).toBe(0)
      expect((await there.starts()).sort()).toEqual(['echo', 'hang', 'keep', 'tells'])
    },
  )

  verifies(
    ['machine.elsewhere.moved', 'machine.elsewhere.known', 'link.lost'],
    'a machine that is killed fails what another host runs on it, and serves that again when it is back',
    async () => {
      const lost = { code: 'agent_unavailable', details: { retriable: true } }
      const calling = invoke('hang')
      const job = await start('hang')
      await expect.poll(() => jobOf(job)).toMatchObject({ lastSeq: 1 })
      await expect.poll(grandchildren).toBe(2)
      const beganAt = performance.now()
      machine.kill()
      await expect(calling).rejects.toMatchObject(lost)
      await expect.poll(() => jobOf(job)).toMatchObject({ state: 'failed', error: lost })
      expect(performance.now() - beganAt).toBeLessThan(WITHIN_MS)
      await expect.poll(statusHere).toEqual(tools.map(() => 'unavailable'))

      machine = there.start()
      await machine.line('online-1')
      await expect.poll(statusHere, { timeout: 20_000 }).toEqual(tools.map(() => 'available'))
      expect(await invoke('echo', { n: 2 })).toMatchObject({ n: 2 })
      expect((await there.starts()).sort()).toEqual(['echo', 'hang', 'hang'])
    },
  )

  verifies(
    ['machine.elsewhere.host_gone', 'link.back'],
    'a host that closes loses its machine to the next, whose pages go on',
    async () => {
      const job = await start('hang')
      await expect.poll(() => jobOf(job)).toMatchObject({ lastSeq: 1 })
      const { url } = await here.host.listen(0)
      await there.host.close()
      await expect.poll(() => jobOf(job)).toMatchObject({ state: 'failed' })
      await expect.poll(statusHere).toEqual(tools.map(() => 'unavailable'))
      const { token } = there
      const next = there.start(Number(new URL(url).port), token)
      await next.line('online-1')
      await expect.poll(statusHere, { timeout: 20_000 }).toEqual(tools.map(() => 'available'))
      expect(await invoke('echo', { n: 3 })).toMatchObject({ n: 3 })
    },
  )
}
