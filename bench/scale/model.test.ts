import { describe, expect, it } from 'vitest'
import { costs } from './costs.ts'
import { assumptions, needOf } from './model.ts'

describe('needOf', () => {
  it('needs one host for few users, and what a host does by itself', () => {
    expect(needOf(0, assumptions)).toMatchObject({
      pages: 0,
      calls: 0,
      hosts: 1,
      hostsBy: 'one at least',
      statements: costs.hostSecond.statements,
      commits: costs.hostSecond.commits,
    })
  })

  it('counts the calls of the pages that are open', () => {
    const a = { ...assumptions, online: 0.1, windowsPerPage: 2, heartbeats: 6, reads: 3, writes: 1, jobs: 0 }
    expect(needOf(600, a)).toMatchObject({ pages: 60, calls: 16 })
  })

  it.each([
    ['CPU', { writes: 100 }],
    [
      'memory',
      { memoryPerHost: 512 * 2 ** 20, heartbeats: 0, reads: 0, writes: 0, jobs: 0, runs: 0, events: 0 },
    ],
  ])('says that %s decides', (hostsBy, more) => {
    expect(needOf(1_000_000, { ...assumptions, ...more })).toMatchObject({ hostsBy })
  })

  it.each([10, 100])('needs about %d times as much for as many more users', (times) => {
    const [few, many] = [needOf(1_000_000, assumptions), needOf(1_000_000 * times, assumptions)]
    for (const name of ['hosts', 'postgresCores', 'statements', 'commands', 'storedBytes'] as const) {
      expect(many[name] / few[name]).toBeGreaterThan(0.8 * times)
      expect(many[name] / few[name]).toBeLessThan(1.2 * times)
    }
  })
})
