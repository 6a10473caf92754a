import { verifies } from '@svc/conformance/verifies'
import { limits } from '@svc/contract'
import { pause } from '@svc/node'
import { StoreError } from '@svc/state/driver'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { hosts as hostRows } from '../kernel/hosts.ts'
import { type MachineHost, openMachineHosts } from '../testing/machine-hosts.ts'
import { plugin } from '../testing/runner-host.ts'
import type { MachineMessage, RawMachine } from '../testing/runner-machine.ts'
import { runners as rows } from './runner-row.ts'

let at: Awaited<ReturnType<typeof openMachineHosts>>
let a: MachineHost
let b: MachineHost
let c: MachineHost
beforeEach(async () => {
  at = await openMachineHosts(3)
  ;[a, b, c] = at.hosts as [MachineHost, MachineHost, MachineHost]
})
afterEach(() => at.close())

const lost = { ok: false, code: 'agent_unavailable', details: { retriable: true } }
const stateAt = async ({ host }: MachineHost) => (await host.runners.list('ada')).map(({ state }) => state)
const heldBy = async () => (await at.store.get(rows, at.runnerId))?.row.held_by

describe('what another host asks of a machine', () => {
  const failed = { code: 'plug_error', message: 'It broke.', details: { at: 1 } }
  /** What a machine answers, and what that is to whoever asked. */
  verifies.each('machine.elsewhere.serves')<
    [string, (machine: RawMachine, asked: MachineMessage) => void, object]
  >([
    [
      'a payload',
      (machine, asked) => machine.answer(asked, { n: [1, 'ü'] }),
      { ok: true, json: '{"n":[1,"ü"]}', bytes: 14 },
    ],
    [
      'a long payload',
      (machine, asked) => machine.answer(asked, 'x'.repeat(200_000)),
      { ok: true, bytes: 200_002 },
    ],
    [
      'a failure with its details',
      (machine, { head: { id } }) => machine.say({ type: 'outcome', id, ok: false }, JSON.stringify(failed)),
      { ok: false, ...failed },
    ],
    [
      'more than may be',
      (machine, asked) => machine.answer(asked, 'x'.repeat(300_000)),
      { ok: false, code: 'plug_unavailable' },
    ],
    [
      'no JSON',
      (machine, { head: { id } }) => machine.say({ type: 'outcome', id, ok: true }, '{'),
      { ok: false, code: 'plug_unavailable' },
    ],
  ])('comes to the same there and here: %s', async (_what, answer, outcome) => {
    const machine = await a.online()
    for (const from of [a, b]) {
      const call = from.call({ maxResultBytes: 250_000, args: { n: 1 } })
      answer(machine, await machine.hear('call'))
      expect(await call).toMatchObject(outcome)
    }
  })

  verifies('machine.elsewhere.serves', 'arrives as it was asked, with its deadline and caps', async () => {
    const machine = await a.online()
    const argsJson = '{"exact":1.0000000000000000001}'
    const heard = []
    for (const from of [a, b]) {
      const call = from.call({
        argsJson,
        timeoutMs: 7_000,
        deadlineMs: from.clock.now() + 6_500,
        invokeId: 'inv_x',
      })
      const asked = await machine.hear('call')
      expect(asked.body.toString()).toBe(argsJson)
      heard.push({ ...asked.head, id: 0 })
      machine.answer(asked, {})
      await call
    }
    expect(heard[1]).toEqual(heard[0])
    expect(heard[0]).toMatchObject({
      left_ms: 6_500,
      timeout_ms: 7_000,
      invoke_id: 'inv_x',
      max_result_bytes: 1_000,
    })
  })

  verifies('machine.elsewhere.serves', 'is installed and described there', async () => {
    const machine = await a.online()
    const { runner } = await b.link()
    const installing = runner.install(plugin)
    const install = await machine.hear('install')
    machine.say({ type: 'outcome', id: install.head.id, ok: true })
    expect(await installing).toEqual({ ok: true })
    const describing = runner.describe(plugin, { userId: 'ada' })
    const asked = await machine.hear('describe')
    expect(asked.head).toMatchObject({ user_id: 'ada', plugin: { id: plugin.id } })
    machine.answer(asked, { name: 'remote', tools: [{ name: 'echo', parameters: [] }] })
    expect(await describing).toMatchObject({ ok: true, description: { name: 'remote' } })
  })

  verifies('machine.elsewhere.serves', 'is cancelled on the machine, once and for good', async () => {
    const machine = await a.online()
    const controller = new AbortController()
    const call = b.call({ signal: controller.signal })
    const asked = await machine.hear('call')
    controller.abort('enough')
    expect(await call).toMatchObject({ ok: false, code: 'cancelled' })
    expect(await machine.hear('cancel')).toMatchObject({ head: { id: asked.head.id } })
    machine.answer(asked, { late: true })
    expect(await b.call({ signal: AbortSignal.abort() })).toMatchObject({ code: 'cancelled' })
    await pause()
    expect(machine.heard.filter(({ head }) => head.type === 'call')).toHaveLength(1)
  })

  verifies('machine.elsewhere.serves', 'ends by its deadline where the machine says nothing', async () => {
    const machine = await a.online()
    const call = b.call({ timeoutMs: 1_000, deadlineMs: b.clock.now() + 1_000 })
    await machine.hear('call')
    await at.advance(1_000 + limits.LINK_GRACE_MS, [a])
    expect(await call).toMatchObject({ ok: false, code: 'tool_timeout' })
    expect(await machine.hear('cancel')).toMatchObject({ head: { reason: 'timeout' } })
  })

  verifies('machine.elsewhere.asks', 'may ask the host of the call, and that one alone', async () => {
    const machine = await a.online()
    const open: AbortSignal[] = []
    const call = b.call({
      subcalls: {
        samplingToken: 'smp_1',
        async onRequest(method, params, signal) {
          open.push(signal)
          if (params.fail) throw new Error('a secret')
          return params.wait ? new Promise(() => {}) : { result: { method, params } }
        },
      },
    })
    const asked = await machine.hear('call')
    expect(asked.head.sampling_token).toBe('smp_1')
    const reply = async (id: number, body: object) => {
      machine.say({ type: 'ask', id, call: asked.head.id, method: 'llm/complete' }, JSON.stringify(body))
      return JSON.parse((await machine.hear('reply')).body.toString())
    }
    expect(await reply(1, { n: 1 })).toEqual({ result: { method: 'llm/complete', params: { n: 1 } } })
    const { error } = await reply(2, { fail: true })
    expect([error.data.name, JSON.stringify(error)]).toEqual([
      'internal_error',
      expect.not.stringContaining('secret'),
    ])
    machine.say({ type: 'ask', id: 3, call: asked.head.id, method: 'llm/complete' }, '{"wait":1}')
    await expect.poll(() => open.length).toBe(3)
    machine.answer(asked, {})
    await call
    await expect.poll(() => open[2]?.aborted).toBe(true)
  })
})

describe('the machines of a user', () => {
  verifies('machine.elsewhere.known', 'are the same at every host, with what is under way', async () => {
    expect(await stateAt(b)).toEqual(['offline'])
    const machine = await a.online()
    await at.advance(limits.CACHE_STALE_MS)
    for (const host of at.hosts) expect(await stateAt(host)).toEqual(['online'])
    const call = b.call()
    const asked = await machine.hear('call')
    for (const { host } of at.hosts)
      expect((await host.runners.list('ada'))[0]?.slots).toMatchObject({ calls_busy: 1 })
    machine.answer(asked, {})
    await call
    machine.ws.terminate()
    for (const host of at.hosts) await expect.poll(() => stateAt(host)).toEqual(['offline'])
    expect(await heldBy()).toBe(null)
  })

  verifies('machine.elsewhere.known', 'are known at once to a host that looks for them', async () => {
    await b.host.runners.refresh('ada')
    const changes: boolean[] = []
    b.host.runners.onChange(({ isOnline }) => void changes.push(isOnline))
    const machine = await a.online()
    await expect
      .poll(() => b.host.runners.online('ada'))
      .toMatchObject([{ id: at.runnerId, epoch: 1, elsewhere: {} }])
    machine.ws.terminate()
    await expect.poll(() => changes).toEqual([true, false])
    expect(b.host.runners.online('ada')).toEqual([])
  })

  verifies('machine.elsewhere.known', 'are forgotten where nobody looks for them any more', async () => {
    await a.online()
    await b.link()
    await at.advance(limits.RUNNERS_KNOWN_MS - limits.REAPER_INTERVAL_MS)
    expect(b.host.runners.online('ada')).toHaveLength(1)
    await at.advance(2 * limits.REAPER_INTERVAL_MS)
    expect(b.host.runners.online('ada')).toEqual([])
    expect(await b.link()).toMatchObject({ id: at.runnerId })
  })

  verifies(
    ['machine.elsewhere.known', 'runner.revoke.at_once'],
    'are revoked at any host: the link ends, and what another host waits for',
    async () => {
      const machine = await a.online()
      const call = c.call()
      await machine.hear('call')
      await b.host.runners.revoke('ada', at.runnerId)
      expect(await machine.closed).toMatchObject({ code: 4401 })
      expect(await call).toMatchObject(lost)
      for (const host of at.hosts) expect(await stateAt(host)).toEqual([])
    },
  )
})

describe('a link that moves', () => {
  verifies.each('machine.elsewhere.moved')<[string, () => MachineHost, object]>([
    ['the host that waits', () => b, { epoch: 2 }],
    ['a third', () => c, { epoch: 2, elsewhere: {} }],
    ['the same', () => a, { epoch: 2, elsewhere: {} }],
  ])('to %s ends what is under way, and the next call finds it', async (_what, to, link) => {
    const machine = await a.online()
    const call = b.call()
    await machine.hear('call')
    const next = await to().online()
    expect(await machine.closed).toMatchObject({ code: 4409 })
    expect(await call).toMatchObject(lost)
    await expect.poll(() => b.host.runners.online('ada')).toMatchObject([link])
    const again = b.call()
    next.answer(await next.hear('call'), { n: 2 })
    expect(await again).toMatchObject({ ok: true, payload: { n: 2 } })
    expect(await heldBy()).toMatchObject({ host_id: expect.any(String) })
  })

  verifies('machine.elsewhere.moved', 'without a notice is found where the call is refused', async () => {
    const machine = await a.online()
    const { runner } = await b.link()
    const { publish } = at.bus
    at.bus.publish = async () => {}
    machine.ws.terminate()
    await expect.poll(heldBy).toBe(null)
    const next = await c.online()
    at.bus.publish = publish
    const input = { userId: 'ada', plugin, tool: 'echo', invokeId: 'inv_1', graceMs: 0, maxResultBytes: 9 }
    const times = { timeoutMs: 1_000, deadlineMs: b.clock.now() + 1_000 }
    expect(await runner.call({ ...input, ...times })).toMatchObject(lost)
    await expect.poll(() => b.host.runners.online('ada')).toMatchObject([{ epoch: 2 }])
    const call = b.call()
    next.answer(await next.hear('call'), 1)
    expect(await call).toMatchObject({ ok: true })
  })

  verifies('machine.elsewhere.moved', 'of a host that was not told is ended by its next look', async () => {
    const machine = await a.online()
    const { publish } = at.bus
    at.bus.publish = async () => {}
    await c.online()
    at.bus.publish = publish
    await a.host.runners.refresh('ada')
    expect(await machine.closed).toMatchObject({ code: 4409 })
    expect(a.host.runners.online('ada')).toMatchObject([{ epoch: 2, elsewhere: {} }])
  })
})

describe('a host that has a machine', () => {
  verifies(
    'machine.elsewhere.host_gone',
    'and is gone without a word is asked in vain, and no longer',
    async () => {
      const now = b.clock.now()
      await at.store.insert(hostRows, 'ghost', { epoch: 1, beat_at: now })
      const record = await at.store.get(rows, at.runnerId)
      if (!record) throw new Error('no machine is enrolled')
      const held_by = { host_id: 'ghost', epoch: 1 }
      await at.store.swap(rows, at.runnerId, record.revision, { ...record.row, epoch: 1, held_by })
      expect(await b.call()).toMatchObject(lost)
      await at.advance(limits.HOST_DEAD_MS + 2 * limits.CACHE_STALE_MS)
      expect(await stateAt(b)).toEqual(['offline'])
    },
  )

  verifies('machine.elsewhere.host_gone', 'and is silent loses what others wait for', async () => {
    const machine = await a.online()
    const call = b.call()
    await machine.hear('call')
    await at.advance(limits.HOST_DEAD_MS + 3 * limits.CACHE_STALE_MS, [b, c])
    expect(await call).toMatchObject(lost)
    expect(b.host.runners.online('ada')).toEqual([])
  })

  verifies('machine.elsewhere.host_gone', 'and lives after all has it again', async () => {
    await a.online()
    await b.link()
    const before = await heldBy()
    await at.advance(limits.HOST_DEAD_MS + 3 * limits.CACHE_STALE_MS, [b, c])
    await c.host.runners.list('ada')
    const host = await at.store.get(hostRows, before?.host_id ?? '')
    if (host) await at.store.swap(hostRows, host.id, host.revision, { epoch: 2, beat_at: 0 })
    await at.advance(limits.HOST_DEAD_MS + 3 * limits.CACHE_STALE_MS, [a])
    expect(await heldBy()).toEqual({ host_id: before?.host_id, epoch: 2 })
    await at.advance(limits.CACHE_STALE_MS, [b])
    expect(await stateAt(b)).toEqual(['online'])
  })

  verifies(
    ['machine.elsewhere.host_gone', 'link.leaving'],
    'and closes lets a call of another host end, and begins none',
    async () => {
      const machine = await a.online()
      const call = b.call()
      const asked = await machine.hear('call')
      const closing = a.host.close()
      expect(await b.call()).toMatchObject(lost)
      machine.answer(asked, { n: 1 })
      expect(await call).toMatchObject({ ok: true, payload: { n: 1 } })
      // The link ends behind the call with whatever comes next.
      machine.say({ type: 'pong' })
      await closing
      expect(await heldBy()).toBe(null)
      await expect.poll(() => b.host.runners.online('ada')).toEqual([])
      expect(machine.heard.filter(({ head }) => head.type === 'call')).toHaveLength(1)
    },
  )
})

test('the end of a link that the store did not take is written once it does', async () => {
  const machine = await a.online()
  expect(await stateAt(b)).toEqual(['online'])
  const { swap } = at.store
  at.store.swap = async () => {
    throw new StoreError('unavailable', 'away')
  }
  machine.ws.terminate()
  await expect.poll(() => a.host.runners.online('ada')).toEqual([])
  await at.advance(limits.REAPER_INTERVAL_MS)
  expect(await heldBy()).not.toBeNull()
  at.store.swap = swap
  await at.advance(limits.REAPER_INTERVAL_MS)
  await expect.poll(heldBy).toBeNull()
  await expect.poll(() => stateAt(b)).toEqual(['offline'])
})
