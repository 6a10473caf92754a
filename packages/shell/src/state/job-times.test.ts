import { describe, expect, it } from 'vitest'
import { after, jobOf, START } from '../testing/job.ts'
import { LIFE_MS, timesOf } from './job-times.ts'

describe('timesOf', () => {
  it('tells how long a job runs, how long it may, and when it was heard of', () => {
    expect(timesOf(jobOf(1, { lastHeartbeatAt: after(60_000) }), START + 65_000)).toEqual({
      spent: 'running for 1 min 5 s',
      left: '28 min left',
      life: { text: 'last update 5 s ago', late: false },
    })
  })

  it.each([
    ['two heartbeats', LIFE_MS, false, 'last update 10 s ago'],
    ['more', LIFE_MS + 2_000, true, 'no update for 12 s'],
  ])('a job that was silent for %s', (_, ms, late, text) => {
    expect(timesOf(jobOf(1), START + ms).life).toEqual({ text, late })
  })

  it('counts from the start where no heartbeat came yet', () => {
    expect(timesOf(jobOf(1, { lastHeartbeatAt: null }), START + 3_000).life?.text).toBe('last update 3 s ago')
  })

  it('counts the wait in the queue, in which nobody gives a sign of life', () => {
    const queued = jobOf(0, { state: 'queued', startedAt: null, lastHeartbeatAt: null })
    expect(timesOf(queued, START + 4_000)).toEqual({
      spent: 'waiting for 4 s',
      left: '29 min left',
      life: null,
    })
    expect(timesOf(queued, START + 1_800_000).left).toBe('past its deadline')
  })

  it.each([
    ['took', { startedAt: after(1_000), endedAt: after(4_000) }, 'took 3 s'],
    ['was quick', { startedAt: after(1_000), endedAt: after(1_999) }, 'took under 1 s'],
    ['never started', { startedAt: null, endedAt: after(4_000) }, 'never started'],
  ])('an ended job %s', (_, rest, spent) => {
    const job = jobOf(1, { state: 'cancelled', ...rest })
    expect(timesOf(job, START + 99_000)).toEqual({ spent, left: null, life: null })
  })
})
