import { verifies } from '@svc/conformance/verifies'
import { parseExact } from '@svc/contract/exact-json'
import type { Limits } from '@svc/contract/limits'
import { type Clock, keepAliveClock } from '@svc/node'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { silentLog } from '../port/log.ts'
import { openTestHost, testLocalRunner, welcome } from '../testing/host.ts'
import { connectRunner, type RemoteRunner, type RemoteState } from './connect-runner.ts'

let host: Awaited<ReturnType<typeof openTestHost>>
let local: ReturnType<typeof testLocalRunner>
let remote: RemoteRunner | undefined
const states: RemoteState[] = []
beforeEach(async () => {
  states.length = 0
  local = testLocalRunner()
  host = await openTestHost()
})
afterEach(async () => {
  await remote?.close()
  await host.close()
})

function connect(limits: Partial<Limits> = {}, clock: Clock = keepAliveClock) {
  remote = connectRunner({
    clock,
    url: host.url,
    token: 'svcr_1',
    runner: local.runner,
    log: silentLog,
    installs: ['npm'],
    stateDir: null,
    limits: { RUNNER_RETRY_MS: 20, RUNNER_RETRY_MAX_MS: 40, ...limits },
    onState: (state) => void states.push(state),
  })
  return remote
}
async function online() {
  connect()
  const link = await host.link()
  await link.hear('hello')
  link.say(welcome)
  return link
}
const NUMBERS = '{"a":1.0,"b":[-0,1E5,1e400],"id":12345678901234567890}'
const plugin = { id: 'p', version: '1', author: 'ada', distribution: { type: 'npm', package_name: 'p' } }
const work = (id: number, more: object = {}) => ({
  type: 'call',
  id,
  user_id: 'ada',
  plugin,
  tool: 'echo',
  timeout_ms: 5_000,
  invoke_id: `inv_${id}`,
  left_ms: 5_000,
  grace_ms: 0,
  max_result_bytes: 1_000,
  ...more,
})
const job = (id: number) => ({ ...work(id), type: 'job', job_id: 'tjob_1' })
const named = (code: string) => states.filter(({ state }) => state === code)

describe('a machine', () => {
  verifies('link.serves', 'says what it is, with its token in the head alone', async () => {
    connect()
    const link = await host.link()
    expect(link.token).toBe('Bearer svcr_1')
    const { head } = await link.hear('hello')
    expect(head).toEqual({
      type: 'hello',
      version: 2,
      host: new URL(host.url).host,
      key: expect.stringMatching(/^[\w-]{43}$/),
      signature: expect.stringMatching(/^[\w-]{86}$/),
      platform: `${process.platform}-${process.arch}`,
      node: process.version,
      installs: ['npm'],
    })
    link.say({ ...welcome, ping_ms: 20 })
    await expect
      .poll(() => named('online'))
      .toEqual([{ state: 'online', runnerId: 'rnr_1', name: 'A laptop' }])
    // Without being asked.
    expect((await link.hear('pong')).head.stats).toEqual({ processes: 0, busy: 0, waiting: 0, noise: 0 })
  })

  verifies(
    ['link.serves', 'runner.command', 'numbers.verbatim'],
    'does what it is asked, and answers each once',
    async () => {
      const link = await online()
      link.say(work(1), { n: 1 })
      await expect.poll(() => local.running.length).toBe(1)
      const { input, end } = local.running[0] ?? expect.fail()
      expect(input).toMatchObject({ userId: 'ada', plugin, args: { n: 1 }, maxResultBytes: 1_000 })
      end({ ok: true, payload: { n: 1 }, json: '{"n":1}', bytes: 7 })
      expect(await link.hear('outcome')).toEqual({
        head: { type: 'outcome', id: 1, ok: true },
        body: Buffer.from('{"n":1}'),
      })
      link.say(work(4), parseExact(NUMBERS))
      await expect.poll(() => local.running.length).toBe(2)
      expect(JSON.stringify(local.running[1]?.input.args)).toBe(NUMBERS)
      local.running[1]?.end({ ok: true, payload: {}, json: NUMBERS, bytes: NUMBERS.length })
      expect((await link.hear('outcome')).body.toString()).toBe(NUMBERS)
      link.say({ type: 'describe', id: 2, plugin, left_ms: 1_000 })
      expect(JSON.parse((await link.hear('outcome')).body.toString())).toEqual({ name: 'p', tools: [] })
      link.say({ type: 'install', id: 3, plugin, left_ms: 1_000 })
      expect((await link.hear('outcome')).head).toEqual({ type: 'outcome', id: 3, ok: true })
      // None of these is anything to start.
      link.say(work(4, { plugin: { id: 'p', version: '1', command: ['rm', '-rf', '/'] } }), {})
      link.say(work(5, { plugin: null }), {})
      link.say({ ...work(6), tool: 7 }, {})
      link.say({ type: 'nothing', id: 7 })
      link.say({ type: 'install', id: 8, plugin, left_ms: 0 })
      expect((await link.hear('outcome')).head.id).toBe(8)
      expect(local.running).toHaveLength(2)
    },
  )

  verifies.each('link.serves')([[0], [1_500], [-300_000], [300_000]])(
    'counts what is left of a deadline by its own clock, %d ms off',
    async (offMs) => {
      const clock = { ...keepAliveClock, now: () => Date.now() + offMs }
      connect({}, clock)
      const link = await host.link()
      link.say(welcome)
      const before = clock.now()
      link.say(work(1, { left_ms: 5_000 }), {})
      await expect.poll(() => local.running.length).toBe(1)
      const { deadlineMs = 0 } = local.running[0]?.input ?? {}
      expect(deadlineMs).toBeGreaterThanOrEqual(before + 5_000)
      expect(deadlineMs).toBeLessThanOrEqual(clock.now() + 5_000)
    },
  )

  verifies('plug.install.frozen', 'knows when a version was frozen', async () => {
    const link = await online()
    link.say(work(1, { plugin: { ...plugin, frozen_at: 'never' } }), {})
    link.say(work(2, { plugin: { ...plugin, frozen_at: 1_767_225_600_000 } }), {})
    await expect.poll(() => local.running.length).toBe(1)
    expect(local.running[0]?.input.plugin).toMatchObject({ id: 'p', frozenAt: 1_767_225_600_000 })
  })

  verifies('link.serves', 'tells of a job in order, and counts what is dropped together', async () => {
    const link = await online()
    link.say(job(1), {})
    await expect.poll(() => local.running.length).toBe(1)
    const { input, end } = local.running[0] ?? expect.fail()
    if (!('onStarted' in input)) return expect.fail()
    input.onStarted()
    input.onProgress({ type: 'step', json: '{"n":1}' })
    for (let count = 0; count < 1_000; count++) input.onDropped(1)
    input.onHeartbeat()
    end({ ok: false, code: 'tool_failed', message: 'no' })
    expect((await link.hear('outcome')).head.ok).toBe(false)
    expect((await link.hear('dropped')).head).toEqual({ type: 'dropped', id: 1, count: 1_000 })
    expect((await link.hear('progress')).body.toString()).toBe('{"n":1}')
  })

  verifies('link.cancel', 'cancels what nobody waits for, and says nothing of it any more', async () => {
    const link = await online()
    link.say(work(1), {})
    await expect.poll(() => local.running.length).toBe(1)
    link.say({ type: 'cancel', id: 1, reason: 'enough' })
    await expect.poll(() => local.running[0]?.input.signal?.reason).toBe('enough')
    link.say({ type: 'install', id: 2, plugin, left_ms: 0 })
    expect((await link.hear('outcome')).head.id).toBe(2)
  })

  verifies('link.asks', 'asks its host within a call, and gives up what nobody waits for', async () => {
    const link = await online()
    link.say(work(1, { sampling_token: 'smp_1' }), {})
    await expect.poll(() => local.running.length).toBe(1)
    const { subcalls } = local.running[0]?.input ?? {}
    expect(subcalls?.samplingToken).toBe('smp_1')
    const ask = (signal = new AbortController().signal) =>
      subcalls?.onRequest('llm/complete', { a: 1 }, signal)
    const first = ask()
    const asked = await link.hear('ask')
    expect(asked).toEqual({
      head: { type: 'ask', id: 1, call: 1, method: 'llm/complete' },
      body: Buffer.from('{"a":1}'),
    })
    link.say({ type: 'reply', id: 1 }, { result: { ok: 1 } })
    expect(await first).toEqual({ result: { ok: 1 } })
    const controller = new AbortController()
    const second = ask(controller.signal)
    await link.hear('ask')
    controller.abort()
    expect(await second).toMatchObject({ error: { data: { name: 'cancelled' } } })
    expect((await link.hear('unask')).head).toEqual({ type: 'unask', id: 2, call: 1 })
    const third = ask()
    await link.hear('ask')
    link.ws.terminate()
    expect(await third).toMatchObject({ error: { data: { name: 'agent_unavailable' } } })
  })
})

describe('a link that ends', () => {
  verifies(
    ['link.orphans', 'link.back', 'link.once'],
    'ends what ran for it, and the next begins only when that is gone',
    async () => {
      const link = await online()
      const gone = Promise.withResolvers<void>()
      local.state.gone = gone.promise
      link.say(work(1), {})
      await expect.poll(() => local.running.length).toBe(1)
      link.ws.terminate()
      await expect.poll(() => local.running[0]?.input.signal?.aborted).toBe(true)
      await new Promise((next) => setTimeout(next, 100))
      expect([host.state.tried, named('waiting')]).toEqual([1, []])
      gone.resolve()
      const next = await host.link()
      next.say(welcome)
      next.say({ type: 'install', id: 1, plugin, left_ms: 0 })
      expect((await next.hear('outcome')).head.id).toBe(1)
      expect(local.running).toHaveLength(1)
    },
  )

  verifies.each('link.gives_up')([
    ['is revoked', 4401, 'unknown_token'],
    ['is used by another process', 4409, 'displaced'],
    ['has another key', 4403, 'wrong_key'],
    ['did not prove its key', 4400, 'unproven_key'],
    ['comes by another name', 4421, 'wrong_name'],
    ['speaks another version', 4426, 'incompatible'],
  ])('is the last where the machine %s', async (_name, code, reason) => {
    const link = await online()
    link.ws.close(code, 'the host speaks version 2')
    expect(await remote?.ended).toEqual({
      reason,
      message: expect.stringMatching(/[Ee]nrol|version 2|not its name/),
    })
    expect(host.state.tried).toBe(1)
    expect(states.at(-1)).toMatchObject({ state: 'ended', reason })
  })

  verifies('link.gives_up', 'never begins where the token is unknown', async () => {
    host.state.status = 401
    expect(await connect().ended).toMatchObject({ reason: 'unknown_token' })
    expect(host.state.tried).toBe(1)
  })

  verifies.each('link.back')([[403], [404], [429], [500], [503]])(
    'is tried again behind a %i',
    async (status) => {
      host.state.status = status
      connect()
      await expect.poll(() => host.state.tried).toBeGreaterThan(2)
      expect(named('waiting')[0]).toMatchObject({ problem: expect.stringContaining(String(status)) })
      host.state.status = 0
      const link = await host.link()
      link.say(welcome)
      await expect.poll(() => named('online').length).toBe(1)
    },
  )

  verifies.each('link.back')([
    ['garbage', (link: Awaited<ReturnType<typeof online>>) => link.ws.send(Buffer.alloc(9, 9))],
    ['text', (link: Awaited<ReturnType<typeof online>>) => link.ws.send('hello')],
    ['its end', (link: Awaited<ReturnType<typeof online>>) => link.ws.close(1001, 'closing')],
  ])('by %s comes back', async (_name, end) => {
    end(await online())
    const next = await host.link()
    next.say(welcome)
    await expect.poll(() => named('online').length).toBe(2)
  })

  verifies('link.back', 'without a welcome is given up and tried again', async () => {
    connect({ RUNNER_HELLO_MS: 50 })
    await host.link()
    await host.link()
    expect(named('waiting')).toMatchObject([{ problem: 'the host sent no welcome to the machine' }])
  })
})

describe('closing', () => {
  verifies.each('link.orphans')([
    ['online', async () => void (await online())],
    [
      'waiting',
      async () => {
        host.state.status = 500
        connect({ RUNNER_RETRY_MS: 60_000, RUNNER_RETRY_MAX_MS: 60_000 })
        await expect.poll(() => named('waiting').length).toBe(1)
      },
    ],
    ['connecting', async () => void connect()],
  ])('while %s ends everything, twice is harmless', async (_name, begin) => {
    await begin()
    await Promise.all([remote?.close(), remote?.close()])
    expect(await remote?.ended).toMatchObject({ reason: 'closed' })
    const { tried } = host.state
    await new Promise((next) => setTimeout(next, 60))
    expect(host.state.tried).toBe(tried)
  })
})

it.each([[''], ['svcr_'], ['secret'], ['svcr_a\nb'], ['Bearer svcr_a']])('takes no token %j', (token) => {
  const { runner } = local
  expect(() => connectRunner({ url: host.url, token, runner, log: silentLog })).toThrow(
    /^connectRunner: token must be .*, got \d+ characters$/,
  )
})
