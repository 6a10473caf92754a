import { setTimeout as after } from 'node:timers/promises'
import { afterEach, beforeEach, expect } from 'vitest'
import type { HostProcess } from './testing/host-process.ts'
import { openRemoteBed, type RemoteBed } from './testing/remote.ts'
import { openSlowRelay, type SlowRelay } from './testing/slow-relay.ts'
import { verifies } from './verifies.ts'

const MIB = 1_048_576
let bed: RemoteBed
let relay: SlowRelay
let machine: HostProcess

beforeEach(async () => {
  bed = await openRemoteBed()
  relay = await openSlowRelay(bed.port, 100 * MIB)
  machine = bed.start(relay.port)
  await machine.line('online-1')
  await bed.call('echo')
})
afterEach(async () => {
  await bed.close()
  await relay.close()
})

verifies(
  ['link.turns', 'link.window', 'link.parts', 'link.serves'],
  'small calls go on beside results of 24 MiB on a slow network',
  async () => {
    relay.bytesPerSecond = 8 * MIB
    const big = [1, 2].map(() => bed.call('big', { chars: 12 * MIB }, { maxResultBytes: 13 * MIB }))
    const beganAt = performance.now()
    let isDone = false
    const done = Promise.all(big).finally(() => {
      isDone = true
    })
    const times: number[] = []
    while (!isDone) {
      const startMs = performance.now()
      expect(await bed.call('echo', { n: times.length })).toMatchObject({ ok: true })
      times.push(performance.now() - startMs)
      await after(5)
    }
    const bigMs = performance.now() - beganAt
    for (const outcome of await done)
      expect(outcome.ok && (outcome.payload as { text: string }).text.length).toBe(12 * MIB)
    const sorted = times.sort((a, b) => a - b)
    const at = (share: number) => Math.round(sorted[Math.floor(share * (sorted.length - 1))] ?? Number.NaN)
    const figures = `${times.length} calls: median ${at(0.5)} ms, p99 ${at(0.99)} ms`
    if (process.env.SVC_FIGURES) console.log(figures)
    expect(times.length, figures).toBeGreaterThan(10)
    // Behind 24 MiB they would wait for all of that: three seconds, and longer on a busy machine.
    expect(at(0.99), figures).toBeLessThan(Math.max(1_000, bigMs / 3))
    expect(await bed.host.runners.list('ada')).toMatchObject([{ state: 'online' }])
  },
)

verifies(
  ['link.silent', 'link.parts'],
  'one packet that takes longer than the silence of a lost link is a sign of life throughout',
  async () => {
    relay.bytesPerSecond = 24 * 1_024
    const startMs = performance.now()
    const outcome = await bed.call('big', { chars: 110 * 1_024 })
    expect(performance.now() - startMs).toBeGreaterThan(3_500)
    expect(outcome.ok).toBe(true)
    const args = { text: 'y'.repeat(110 * 1_024) }
    const back = await bed.call('echo', args)
    expect(back.ok && back.bytes).toBe(JSON.stringify(args).length)
    expect(bed.host.runners.online('ada')).toMatchObject([{ epoch: 1 }])
  },
)

verifies('link.asks', 'a plugin has its host take a file of 4 MiB beside other calls', async () => {
  const asked: string[] = []
  const call = bed.call(
    'keep',
    { bytes: 4 * MIB },
    {
      subcalls: {
        samplingToken: 'smp_1',
        async onRequest(method, { bytes_b64 }) {
          asked.push(`${method} ${Buffer.from(String(bytes_b64), 'base64').length}`)
          return { result: { file_ref: 'file_1', url: 'https://host.example/file_1' } }
        },
      },
    },
  )
  expect(await bed.call('echo')).toMatchObject({ ok: true })
  expect(await call).toMatchObject({ ok: true, payload: { file: { file_ref: 'file_1' } } })
  expect(asked).toEqual([`host/uploadFile ${4 * MIB}`])
  expect(await bed.call('keep', { bytes: 1 })).toMatchObject({ ok: false })
})

verifies(
  'link.serves',
  'outcomes, progress and caps are those of a runner in the process of the host',
  async () => {
    const big = await bed.call('big', { chars: 2_000 }, { maxResultBytes: 1_000 })
    expect(big).toMatchObject({
      ok: false,
      code: 'result_too_large',
      details: { max: 1_000, retriable: false },
    })
    expect(await bed.call('nothing')).toMatchObject({
      ok: false,
      code: expect.stringMatching(/plug_error|tool_failed/),
    })
    expect(await bed.call('hang', {}, { timeoutMs: 400, deadlineMs: Date.now() + 400 })).toMatchObject({
      ok: false,
      code: 'tool_timeout',
    })
    const job = bed.job('tells', { count: 400 })
    expect(await job.outcome).toMatchObject({ ok: true, payload: { told: 400 } })
    expect(job.told.started).toBe(1)
    expect(job.progress.slice(0, 50).map(({ json }) => JSON.parse(json).at)).toEqual(
      Array.from({ length: 50 }, (_, at) => at + 1),
    )
    expect(job.progress.length + job.told.dropped).toBe(400)
    expect(job.told.dropped).toBeGreaterThan(0)
  },
)
