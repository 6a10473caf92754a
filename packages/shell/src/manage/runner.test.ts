import { describe, expect, it } from 'vitest'
import { runnerOf } from './manage-api-for-tests.ts'
import { installsText, machineText, runnerNews, seenText, slotsText } from './runner.ts'

describe('a runner', () => {
  const now = Date.UTC(2026, 0, 1, 12)
  it.each([
    ['online', runnerOf('desk'), 'linux-x64, Node v24.1.0', 'npm, local', '1 of 3 jobs, 2 calls', 'now'],
    [
      'offline',
      runnerOf('desk', { state: 'offline' }),
      'linux-x64, Node v24.1.0',
      'npm, local',
      'none while it is offline',
      '1 min ago',
    ],
    [
      'that never came',
      runnerOf('desk', { state: 'offline', machine: null, last_seen_at: null }),
      'has not connected yet',
      'not known before it connects',
      'none while it is offline',
      'never',
    ],
  ])('%s', (_, runner, machine, installs, slots, seen) => {
    expect([machineText(runner), installsText(runner), slotsText(runner), seenText(runner, now)]).toEqual([
      machine,
      installs,
      slots,
      seen,
    ])
  })

  it('is news when it comes or goes', () => {
    const [on, off] = [runnerOf('a'), runnerOf('a', { state: 'offline' })]
    expect([...runnerNews([off], [on]).values()]).toEqual(['a is online'])
    expect([...runnerNews([on], [off]).values()]).toEqual(['a is offline'])
    expect(runnerNews([], [off]).size + runnerNews([on], [on]).size + runnerNews([on], []).size).toBe(0)
  })
})
