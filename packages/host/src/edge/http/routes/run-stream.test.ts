import { limits, refuse } from '@svc/contract'
import { frozenClock } from '@svc/node/testing'
import { expect, it } from 'vitest'
import type { RunFrame } from '../../../work/runs/runs.ts'
import type { Services } from '../../services.ts'
import { runStream } from './run-stream.ts'

const STARTED = { stream_id: 'strm_1', run_id: 'r' }

it('a stream whose frames go while it is read breaks, and is over', async () => {
  const clock = frozenClock()
  async function* frames(): AsyncGenerator<RunFrame> {
    yield { seq: 1, payload: '{"event":"queued"}', done: false }
    throw refuse('not_found', 'there is no such run, or its frames are gone')
  }
  const services = { clock, limits, runs: { frames } } as unknown as Services // a stream asks for its frames, and nothing else
  let overs = 0
  const onOver = () => {
    overs += 1
  }
  const leaving = new AbortController().signal
  const response = await runStream(services, STARTED, { after: 0, leaving, cut: () => {}, onOver })
  await expect(response.text()).rejects.toThrow('frames are gone')
  expect([overs, clock.timers]).toEqual([1, 0])
})

it.each([
  { over: 'node:http', cuts: true },
  { over: 'fetch', cuts: false },
])(
  'a reader over $over that takes nothing is cut, and holds no more than a buffer until then',
  async ({ cuts }) => {
    const clock = frozenClock()
    const payload = JSON.stringify({ event: 'sse', text: 'x'.repeat(10_000) })
    let read = 0
    let left = 0
    async function* frames(): AsyncGenerator<RunFrame> {
      try {
        for (;;) yield { seq: ++read, payload, done: false }
      } finally {
        left += 1
      }
    }
    const services = { clock, limits, runs: { frames } } as unknown as Services // a stream asks for its frames, and nothing else
    const ends = { cuts: 0, overs: 0 }
    const cut = () => {
      ends.cuts += 1
    }
    const onOver = () => {
      ends.overs += 1
    }
    const leaving = new AbortController().signal
    const response = await runStream(services, STARTED, {
      after: 0,
      leaving,
      cut: cuts ? cut : undefined,
      onOver,
    })
    const reader = response.body?.getReader()
    await clock.advance(0)
    await clock.advance(limits.READER_STALLED_MS - 1)
    expect([read, left, clock.timers]).toEqual([7, 0, 1])
    expect(ends).toEqual({ cuts: 0, overs: 0 })
    await clock.advance(1)
    expect(ends).toEqual({ cuts: cuts ? 1 : 0, overs: 1 })
    expect([read, left, clock.timers]).toEqual([7, 1, 0])
    if (!cuts) await expect(reader?.read()).rejects.toThrow('read nothing for too long')
  },
)

it('a reader that takes a little is not cut', async () => {
  const clock = frozenClock()
  async function* frames(): AsyncGenerator<RunFrame> {
    for (let seq = 1; ; seq++)
      yield { seq, payload: JSON.stringify({ text: 'x'.repeat(10_000) }), done: false }
  }
  const services = { clock, limits, runs: { frames } } as unknown as Services // a stream asks for its frames, and nothing else
  const leaving = new AbortController().signal
  const response = await runStream(services, STARTED, {
    after: 0,
    leaving,
    cut: undefined,
    onOver: () => {},
  })
  const reader = response.body?.getReader()
  await clock.advance(0)
  for (let times = 0; times < 20; times += 1) {
    await clock.advance(limits.READER_STALLED_MS - 1)
    expect((await reader?.read())?.done).toBe(false)
  }
  await reader?.cancel()
  expect(clock.timers).toBe(0)
})
