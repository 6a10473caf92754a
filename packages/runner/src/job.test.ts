import { afterAll, describe, expect, it, vi } from 'vitest'
import { openBed } from './fixtures/bed.ts'
import { frozenClock } from './fixtures/frozen-clock.ts'

const clock = frozenClock()
const bed = openBed({ clock })
afterAll(() => bed.runner.close())

it('runs under its job id', async () => {
  const { outcome, told } = bed.job('echo', { a: 1 })
  expect(told.started).toBe(1)
  expect(await outcome).toMatchObject({ ok: true, payload: { a: 1 } })
})

describe('what it tells', () => {
  it('heartbeats', async () => {
    const { outcome, told } = bed.job('hang')
    clock.advance(20_000)
    expect(told.beats).toBe(4)
    clock.advance(60_000)
    expect(told.beats).toBe(11)
    expect(await outcome).toMatchObject({ ok: false, code: 'tool_timeout' })
  })
  it('progress', async () => {
    const { outcome, told } = bed.job('progress', { sizes: [8192, 8193, ...Array(60).fill(10)] })
    expect(await outcome).toMatchObject({ ok: true })
    expect(told.progress.length).toBe(50)
    expect(told.dropped).toBe(12)
    await vi.waitFor(() => expect(bed.runner.stats().processes).toBe(0), 2_000)
  })
  it('cancel', async () => {
    const { outcome, cancel } = bed.job('patient')
    cancel('enough')
    expect(await outcome).toMatchObject({ ok: false, code: 'cancelled' })
  })
})
