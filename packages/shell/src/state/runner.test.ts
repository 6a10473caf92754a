import { describe, expect, it } from 'vitest'
import { runnerOf } from '../testing/manage-rows.ts'
import { factsOf, type Runner, runnerNews } from './runner.ts'

describe('a runner', () => {
  const now = Date.UTC(2026, 0, 1, 12)
  const machine = { Machine: 'linux-x64, Node v24.1.0', 'Can install': 'npm, local' }
  const told = { platform: 'linux-x64', node: 'v24.1.0', installs: ['npm', 'local'] }
  it.each<[string, Partial<Runner>, Record<string, string>]>([
    ['online', {}, { ...machine, Busy: '1 of 3 jobs, 2 calls', 'Last seen': 'now' }],
    ['offline', { state: 'offline' }, { ...machine, 'Last seen': '1 min ago' }],
    [
      'that never came',
      { state: 'offline', machine: null, last_seen_at: null },
      { 'Last seen': 'never (it has not connected yet)' },
    ],
    [
      'that installs nothing',
      { state: 'offline', machine: { platform: 'linux-x64', node: 'v24.1.0', installs: [] } },
      { ...machine, 'Can install': 'nothing', 'Last seen': '1 min ago' },
    ],
    [
      'with walls',
      { machine: { ...told, isolation: { walls: true, problem: null } } },
      { ...machine, Isolation: 'plugins run isolated', Busy: '1 of 3 jobs, 2 calls', 'Last seen': 'now' },
    ],
    [
      'without walls',
      { machine: { ...told, isolation: { walls: false, problem: 'isolation is switched off' } } },
      {
        ...machine,
        Busy: '1 of 3 jobs, 2 calls',
        'Last seen': 'now',
        Isolation: 'no isolation: isolation is switched off',
      },
    ],
  ])('%s', (_, more, facts) =>
    expect(Object.fromEntries(factsOf(runnerOf('desk', more), now))).toEqual(facts),
  )

  it('is news when it comes or goes', () => {
    const [on, off] = [runnerOf('a'), runnerOf('a', { state: 'offline' })]
    expect([...runnerNews([off], [on]).values()]).toEqual(['a is online'])
    expect([...runnerNews([on], [off]).values()]).toEqual(['a is offline'])
    expect(runnerNews([], [off]).size + runnerNews([on], [on]).size + runnerNews([on], []).size).toBe(0)
  })
})
