import { afterEach, beforeEach, expect } from 'vitest'
import type { HostProcess } from './testing/host-process.ts'
import { leftOf, slackMs } from './testing/processes.ts'
import { openRemoteBed, type RemoteBed } from './testing/remote.ts'
import { verifies } from './verifies.ts'

/** What a lost link ran has failed by then. */
const WITHIN_MS = 5_000
let bed: RemoteBed
let machine: HostProcess

beforeEach(async () => {
  bed = await openRemoteBed()
  machine = bed.start()
  await machine.line('online-1')
})
afterEach(() => bed.close())

const lost = { ok: false, code: 'agent_unavailable', details: { retriable: true } }

const grandchildren = () => machine.plugins().filter(({ command }) => command.startsWith('sleep'))

/** A call and a job under way, each with a grandchild that only a kill ends. */
async function hang(more = {}) {
  const call = bed.call('hang', {}, more)
  const job = bed.job('hang')
  await expect.poll(grandchildren).toHaveLength(2)
  await job.there
  const beganAt = performance.now()
  return { job, outcomes: Promise.all([call, job.outcome]), tookMs: () => performance.now() - beganAt }
}

async function expectBack(times = 1) {
  await machine.line(`online-${times}`)
  await expect.poll(() => bed.host.runners.online('ada').length).toBe(1)
  expect(await bed.call('echo', { n: 1 })).toMatchObject({ ok: true, payload: { n: 1 } })
}

verifies(
  ['link.lost', 'link.orphans', 'link.once', 'link.back'],
  'a machine that is killed loses its call and its job at once, and leaves no process',
  async () => {
    const { outcomes, tookMs } = await hang()
    machine.kill()
    expect(await outcomes).toMatchObject([lost, lost])
    expect(tookMs()).toBeLessThan(WITHIN_MS + (await slackMs()))
    expect(bed.host.runners.online('ada')).toEqual([])
    const { plugins } = machine
    expect(await leftOf(plugins, WITHIN_MS)).toEqual([])

    machine = bed.start()
    await expectBack()
    expect(await bed.starts()).toEqual(['hang', 'hang', 'echo'])
  },
)

verifies(
  ['link.silent', 'link.lost', 'link.orphans', 'link.once', 'link.back'],
  'a link that is half open is lost on both sides, and comes back when the network does',
  async () => {
    const { outcomes, tookMs } = await hang()
    bed.relay.hush()
    expect(await outcomes).toMatchObject([lost, lost])
    expect(tookMs()).toBeLessThan(WITHIN_MS + (await slackMs()))
    await machine.line('waiting-1')
    // The machine waits only when nothing of the lost link is left.
    expect(machine.plugins()).toEqual([])
    expect(tookMs()).toBeLessThan(WITHIN_MS + 1_000 + (await slackMs()))

    bed.relay.cut()
    bed.relay.mend()
    await expectBack(2)
    expect(await bed.starts()).toEqual(['hang', 'hang', 'echo'])
  },
)

verifies(
  ['link.lost', 'link.orphans', 'link.once', 'link.back'],
  'a connection that breaks and comes back at once starts nothing twice',
  async () => {
    const { outcomes, tookMs } = await hang()
    bed.relay.cut()
    bed.relay.mend()
    expect(await outcomes).toMatchObject([lost, lost])
    expect(tookMs()).toBeLessThan(WITHIN_MS + (await slackMs()))
    await machine.line('waiting-1')
    expect(machine.plugins()).toEqual([])
    await expectBack(2)
    expect(await bed.starts()).toEqual(['hang', 'hang', 'echo'])
    expect(await bed.host.runners.list('ada')).toMatchObject([{ state: 'online' }])
  },
)

verifies(
  ['runner.revoke.at_once', 'link.gives_up', 'link.orphans'],
  'a machine that is revoked loses what it runs, and stops',
  async () => {
    const { outcomes, tookMs } = await hang()
    await bed.host.runners.revoke('ada', bed.runnerId)
    expect(await outcomes).toMatchObject([lost, lost])
    expect(tookMs()).toBeLessThan(1_000 + (await slackMs()))
    expect(JSON.parse(await machine.line('ended-1'))).toMatchObject({ reason: 'unknown_token' })
    expect(await machine.ended).toEqual({ code: 0, signal: null })
    expect(machine.plugins()).toEqual([])
    expect(await bed.host.runners.list('ada')).toEqual([])
  },
)

verifies('link.cancel', 'a call and a job that are cancelled end on the machine', async () => {
  const controller = new AbortController()
  const { job, outcomes } = await hang({ signal: controller.signal })
  controller.abort('enough')
  job.cancel('enough')
  expect(await outcomes).toMatchObject([{ code: 'cancelled' }, { code: 'cancelled' }])
  expect(await leftOf(grandchildren, 2_000)).toEqual([])
  expect(await bed.call('echo')).toMatchObject({ ok: true })
})
