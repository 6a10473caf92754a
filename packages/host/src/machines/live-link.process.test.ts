import { setTimeout as after } from 'node:timers/promises'
import { verifies } from '@svc/conformance/verifies'
import { afterEach, beforeEach, describe, expect } from 'vitest'
import { openMachineHost, plugin } from '../testing/runner-host.ts'

let at: Awaited<ReturnType<typeof openMachineHost>>
beforeEach(async () => {
  at = await openMachineHost({ limits: { LINK_GRACE_MS: 50 } })
})
afterEach(() => at.close())

const invalid = { ok: false, code: 'plug_unavailable' }

describe('a machine that lives and does not answer', () => {
  verifies('link.deadline', 'holds a call to its deadline and a moment, and is told', async () => {
    const machine = await at.online()
    const outcome = await at.call({ timeoutMs: 100, deadlineMs: Date.now() + 100, graceMs: 20 })
    expect(outcome).toMatchObject({ ok: false, code: 'tool_timeout' })
    const { head } = await machine.hear('call')
    expect(await machine.hear('cancel')).toMatchObject({ head: { id: head.id, reason: 'timeout' } })
    const install = at.link().runner.install(plugin, { deadlineMs: Date.now() + 50 })
    expect(await install).toMatchObject(invalid)
    const describe = at.link().runner.describe(plugin, { deadlineMs: Date.now() + 50 })
    expect(await describe).toMatchObject(invalid)
  })

  verifies(
    'link.cancel',
    'a call is cancelled with its reason; one that was not sent is not sent',
    async () => {
      const machine = await at.online()
      const controller = new AbortController()
      const call = at.call({ signal: controller.signal })
      const { head } = await machine.hear('call')
      controller.abort('enough')
      expect(await call).toMatchObject({ ok: false, code: 'cancelled' })
      expect(await machine.hear('cancel')).toMatchObject({ head: { id: head.id, reason: 'enough' } })
      expect(await at.call({ signal: AbortSignal.abort() })).toMatchObject({ code: 'cancelled' })
      await after(20)
      expect(machine.heard.filter((one) => one.head.type === 'call')).toHaveLength(1)
    },
  )
})

verifies('plugin.session.ends', 'a machine learns the session of a call, and that it ended', async () => {
  const machine = await at.online()
  void at.call({ appId: 'app_1', session: 'window w' })
  expect((await machine.hear('call')).head).toMatchObject({ app_id: 'app_1', session: 'window w' })
  at.link().runner.endSessions?.({ userId: 'ada', session: 'window w' })
  const { head } = await machine.hear('end_sessions')
  expect(head).toEqual({ type: 'end_sessions', user_id: 'ada', session: 'window w' })
})

verifies('plug.variables.given', 'what a user gave a plugin goes to the machine with its start', async () => {
  const machine = await at.online()
  void at.call({ plugin: { ...plugin, values: { KEY: 'sk-1' } } })
  expect((await machine.hear('call')).head).toMatchObject({ plugin: { values: { KEY: 'sk-1' } } })
})

describe('a job', () => {
  verifies(
    ['link.serves', 'link.forged'],
    'tells what it may tell, in order, and nothing behind its end',
    async () => {
      const machine = await at.online()
      const { told, outcome } = at.job()
      const asked = await machine.hear('job')
      const { id } = asked.head
      machine.say({ type: 'started', id })
      machine.say({ type: 'started', id })
      machine.say({ type: 'progress', id, name: 'step' }, '{"n":1}')
      machine.say({ type: 'progress', id, name: 7 }, '{"n":2}')
      machine.say({ type: 'progress', id, name: 'step' }, '{"n":')
      machine.say({ type: 'progress', id, name: 'step' }, JSON.stringify('x'.repeat(9_000)))
      machine.say({ type: 'dropped', id, count: 3 })
      machine.say({ type: 'dropped', id, count: -1 })
      machine.say({ type: 'dropped', id, count: 'x' })
      machine.say({ type: 'beat', id })
      machine.say({ type: 'beat', id })
      machine.answer(asked, { done: true })
      machine.say({ type: 'progress', id, name: 'step' }, '{"n":3}')
      expect(await outcome).toMatchObject({ ok: true, payload: { done: true } })
      await after(20)
      expect(told).toEqual(['started', ['step', { n: 1 }], 3, 'beat'])
      expect((await at.host.runners.list('ada'))[0]?.slots).toMatchObject({ jobs_running: 0 })
    },
  )

  verifies('link.forged', 'a flood of progress is counted and let go', async () => {
    const machine = await at.online()
    const { told, outcome } = at.job()
    const asked = await machine.hear('job')
    const sinceMs = Date.now()
    for (let n = 0; n < 2_000; n++) machine.say({ type: 'progress', id: asked.head.id, name: 'x' }, '1')
    machine.answer(asked, {})
    await outcome
    const passed = told.filter((one) => Array.isArray(one)).length
    expect(passed).toBeGreaterThanOrEqual(200)
    // A bucket of one second, four times as wide as a machine's own; on a busy machine more of it comes back.
    expect(passed).toBeLessThanOrEqual(200 * (2 + (Date.now() - sinceMs) / 1_000))
    expect(passed + told.filter((one) => one === 1).length).toBe(2_000)
  })
})

describe('requests of a plugin', () => {
  verifies('link.asks', 'are answered under their id, in their call alone, so many at a time', async () => {
    const machine = await at.online()
    const open: { resolve: (reply: { result: unknown }) => void; signal: AbortSignal; params: unknown }[] = []
    const call = at.call({
      subcalls: {
        samplingToken: 'smp_1',
        onRequest: (_method, params, signal) =>
          new Promise((resolve) => open.push({ resolve, signal, params })),
      },
    })
    const asked = await machine.hear('call')
    expect(asked.head.sampling_token).toBe('smp_1')
    const call_ = asked.head.id
    const ask = (id: unknown, method: unknown = 'llm/complete', body = '{"a":1}', call: unknown = call_) =>
      machine.say({ type: 'ask', id, call, method }, body)
    ask(1)
    await expect.poll(() => open.length).toBe(1)
    expect(open[0]?.params).toEqual({ a: 1 })
    open[0]?.resolve({ result: { ok: 1 } })
    const reply = await machine.hear('reply')
    expect([reply.head.id, JSON.parse(reply.body.toString())]).toEqual([1, { result: { ok: 1 } }])

    const errorOf = async () => JSON.parse((await machine.hear('reply')).body.toString()).error.data.name
    ask(2, 'nothing/known')
    expect(await errorOf()).toBe('invalid_arg')
    ask(3, 'llm/complete', '[')
    expect(await errorOf()).toBe('invalid_arg')
    ask(4, 'llm/complete', '{}', 99)
    for (let id = 10; id < 27; id++) ask(id)
    expect(await errorOf()).toBe('rate_limited')
    expect(open).toHaveLength(17)
    machine.say({ type: 'unask', id: 10, call: call_ })
    await expect.poll(() => open[1]?.signal.aborted).toBe(true)
    machine.answer(asked, {})
    await call
    expect(open.slice(1).map(({ signal }) => signal.aborted)).not.toContain(false)
  })
})
