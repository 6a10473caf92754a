import { openTestHost, type TestHost, type TestWindow } from '@svc/conformance/testing/host'
import { verifies } from '@svc/conformance/verifies'
import { frozenClock } from '@svc/node/testing'
import type { DescribeOutcome, Runner } from '@svc/runner'
import { memoryBus } from '@svc/state'
import { pino } from 'pino'
import { afterEach, expect, test } from 'vitest'
import { userJournal } from '../../events/events.ts'

let services: TestHost
afterEach(() => services.close())

const good: DescribeOutcome = {
  ok: true,
  description: { name: 'Slow', tools: [{ name: 'go', parameters: [] }] },
}
const bad: DescribeOutcome = { ok: false, code: 'plug_unavailable', message: 'it is not there' }

/** A runner whose descriptions are given by hand, one after the other. */
function runnerByHand() {
  const asked: ((outcome: DescribeOutcome | Error) => void)[] = []
  const calls: number[] = []
  const runner: Runner = {
    install: async () => ({ ok: true }),
    describe: () =>
      new Promise((resolve, reject) => {
        asked.push((outcome) => (outcome instanceof Error ? reject(outcome) : resolve(outcome)))
      }),
    async call({ timeoutMs }) {
      calls.push(timeoutMs)
      return { ok: true, payload: {}, json: '{}', bytes: 2 }
    },
    job: async () => ({ ok: true, payload: {}, json: '{}', bytes: 2 }),
    stats: () => ({ processes: 0, busy: 0, waiting: 0, noise: 0 }),
    close: async () => {},
  }
  return { runner, asked, calls }
}

async function open() {
  const clock = frozenClock()
  const bus = memoryBus({ clock })
  const hand = runnerByHand()
  services = await openTestHost({
    clock,
    bus,
    secret: 's'.repeat(32),
    logger: pino({ level: 'silent' }),
    runner: hand.runner,
    plugins: [{ slug: 'slow', command: ['node', 'slow.ts'] }],
    manifest: { required_plugs: ['slow'] },
  })
  const answer = async (outcome: DescribeOutcome | Error) => {
    hand.asked.at(-1)?.(outcome)
    await clock.advance(0)
  }
  const statusOf = async (window: TestWindow) => {
    const listed = await window.call('tools', 'list')
    return listed.ok && (listed.result.tools as { status: string }[]).map(({ status }) => status)
  }
  const told = async () => {
    await clock.advance(0)
    const { items } = await bus.journal.read(userJournal('ada'), 0)
    return items.map(({ item }) => JSON.parse(item)).filter(({ type }) => type === 'tools.changed')
  }
  const invoke = async (window: TestWindow, args: object = {}) => {
    const answered = await window.call('tools', 'invoke', { tool_id: 'slow.go', ...args })
    return answered.ok ? 'ok' : answered.error.code
  }
  return { clock, ...hand, answer, statusOf, told, invoke, window: await services.openWindow() }
}

verifies(
  ['event.tools_changed', 'tools.entry.status'],
  'the open windows that may use a plugin hear of its description, and the others do not',
  async () => {
    const { answer, statusOf, told, window } = await open()
    const other = await services.openWindow()
    await services.host.windows.close('ada', other.windowUuid, null)
    const leaving = new AbortController()
    const stream = await services.request(`/api/v1/svc-apps/runtime/events?windows=${window.windowUuid}`, {
      cookie: window.cookie,
      signal: leaving.signal,
    })
    expect(await statusOf(window)).toEqual([])
    await answer(good)
    expect(await statusOf(window)).toEqual(['available'])
    expect(await told()).toEqual([{ type: 'tools.changed', window_uuid: window.windowUuid }])
    const reader = stream.body?.pipeThrough(new TextDecoderStream()).getReader()
    let text = ''
    while (!text.includes('tools.changed')) text += (await reader?.read())?.value ?? ''
    leaving.abort()
    await reader?.cancel().catch(() => {})
  },
)

test('a window whose app does not declare the plugin hears nothing', async () => {
  const { answer, told } = await open()
  await services.pushDraft({ required_plugs: ['another'] })
  const before = await told()
  await answer(good)
  expect(await told()).toEqual(before)
})

test('a plugin that did not describe itself is asked again after pauses that double', async () => {
  const { clock, asked, answer } = await open()
  const askedAt: number[] = []
  const began = clock.now()
  await answer(bad)
  for (let seconds = 0; seconds < 1_000; seconds += 1) {
    const before = asked.length
    await clock.advance(1_000)
    if (asked.length === before) continue
    askedAt.push(clock.now() - began)
    await answer(askedAt.length === 2 ? new Error('the link broke') : bad)
  }
  expect(askedAt).toEqual([30_000, 90_000, 210_000, 450_000, 930_000])
  await clock.advance(600_000)
  await answer(good)
  expect(await services.host.plugins.find({ userId: 'ada', version: null }, 'slow')).toMatchObject({
    status: 'available',
    problem: null,
  })
  const count = asked.length
  await clock.advance(3_600_000)
  expect(asked).toHaveLength(count)
})

test('a call tries a plugin again, at most each thirty seconds, and waits for what it says', async () => {
  const { clock, asked, answer, invoke, window } = await open()
  await answer(bad)
  await clock.advance(30_000)
  await answer(bad)
  // The sweeper's own next try is a minute away.
  await clock.advance(29_000)
  expect(await invoke(window)).toBe('plug_unavailable')
  expect(asked).toHaveLength(2)
  await clock.advance(1_000)
  const calls = [invoke(window), invoke(window)]
  await expect.poll(() => asked.length).toBe(3)
  await answer(good)
  expect(await Promise.all(calls)).toEqual(['ok', 'ok'])
  expect(asked).toHaveLength(3)
})

test('a call waits for a description no longer than for its answer, and takes no timer along', async () => {
  const { clock, asked, answer, calls, invoke, window } = await open()
  const timers = clock.timers
  const called = invoke(window, { timeoutMs: 1_000 })
  await expect.poll(() => clock.timers).toBe(timers + 1)
  expect(calls).toEqual([])
  await clock.advance(1_000)
  expect(await called).toBe('plug_unavailable')
  expect([calls, clock.timers, asked.length]).toEqual([[], timers, 1])
  await answer({
    ok: true,
    description: { name: 'Slow', tools: [{ name: 'go', parameters: [], timeout_ms: 5_000 }] },
  })
  expect(await invoke(window)).toBe('ok')
  expect(calls).toEqual([5_000])
})

test('callers are told what helps against a failed start', async () => {
  const { answer, window } = await open()
  await answer({ ...bad, message: 'fetch failed.', details: { hint: 'It may not reach a.example.com:443.' } })
  const answered = await window.call('tools', 'invoke', { tool_id: 'slow.go' })
  expect(answered).toMatchObject({
    error: {
      code: 'plug_unavailable',
      message: 'the plugin "slow" cannot be started: fetch failed. It may not reach a.example.com:443.',
    },
  })
})
