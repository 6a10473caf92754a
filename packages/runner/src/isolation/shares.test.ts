import { verifies } from '@svc/conformance/verifies'
import { describe, expect } from 'vitest'
import { openShares } from './shares.ts'

const limits = {
  USER_MEMORY_MAX_BYTES: 100,
  USER_PROCESSES_MAX: 10,
  ALL_PLUGINS_MEMORY_PERCENT: 75,
  ALL_PLUGINS_PROCESSES_MAX: 15,
  ALL_PLUGINS_WATCHES_MAX: 50,
  ALL_PLUGINS_WATCHERS_MAX: 8,
}
const none = { bytes: 0, processes: 0, watches: 0, watchers: 0 }
const MACHINE_BYTES = 173
const bytes = 'all plugins of its user together have more than 100 bytes of memory, and this one has the most'
const processes = 'all plugins of its user together have more than 10 processes, and this one has the most'
const allBytes =
  'all plugins of this machine together have more than 129 bytes of memory, and this one has the most'
const allProcesses =
  'all plugins of this machine together have more than 15 processes, and this one has the most'

describe('what the processes of a user take together', () => {
  /** One after the other: whose process, which one, what it takes, and what it is told. */
  type Look = readonly [user: string, process: number, bytes: number, processes: number, told?: string]
  verifies.each('wall.plugin.shares')<[string, readonly Look[]]>([
    [
      'is as much as it may be',
      [
        ['ada', 1, 60, 1],
        ['ada', 2, 40, 9],
      ],
    ],
    [
      'is of one user',
      [
        ['ada', 1, 60, 6],
        ['bob', 2, 60, 6],
      ],
    ],
    [
      'ends the one that has the most memory',
      [
        ['ada', 1, 60, 1],
        ['ada', 2, 41, 1],
        ['ada', 1, 60, 1, bytes],
      ],
    ],
    [
      'ends the one that has the most processes',
      [
        ['ada', 1, 1, 4],
        ['ada', 2, 1, 7, processes],
      ],
    ],
    [
      'ends one of two that have as much',
      [
        ['ada', 1, 60, 1],
        ['ada', 2, 60, 1, bytes],
        ['ada', 1, 60, 1],
      ],
    ],
    [
      'counts what a process takes now',
      [
        ['ada', 1, 90, 1],
        ['ada', 1, 10, 1],
        ['ada', 2, 90, 1],
      ],
    ],
    ['ends one alone that takes too much', [['ada', 1, 101, 1, bytes]]],
    [
      'ends the largest of the user who has the most memory of all',
      [
        ['bob', 1, 60, 1],
        ['eve', 2, 40, 1],
        ['eve', 3, 30, 1],
        ['bob', 1, 61, 1],
        ['eve', 3, 30, 1],
        ['eve', 2, 40, 1, allBytes],
        ['bob', 1, 70, 1],
      ],
    ],
    [
      'ends the one that has the most processes of all users',
      [
        ['ada', 1, 1, 7],
        ['bob', 2, 1, 9, allProcesses],
        ['ada', 1, 1, 9],
      ],
    ],
  ])('%s', (_name, looks) => {
    const shares = openShares(limits, MACHINE_BYTES)
    const open = new Map<string, ReturnType<typeof shares.of>>()
    for (const [user, process, bytes, processes, told] of looks) {
      const key = `${user} ${process}`
      const share = open.get(key) ?? shares.of(user)
      open.set(key, share)
      expect(share.note({ ...none, bytes, processes })).toBe(told)
    }
  })

  verifies.each('wall.plugin.shares')([
    ['watchers', 3, '8 watchers of files'],
    ['watches', 20, '50 watches and locks'],
  ] as const)('has a bound of %s for the whole machine', (what, each, told) => {
    const shares = openShares(limits, MACHINE_BYTES)
    const [ada, ...eve] = ['ada', 'eve', 'eve'].map((user) => shares.of(user))
    expect(ada?.note({ ...none, [what]: each })).toBeUndefined()
    expect(eve[0]?.note({ ...none, [what]: each })).toBeUndefined()
    const said = `all plugins of this machine together have more than ${told}, and this one has the most`
    expect(eve[1]?.note({ ...none, [what]: each })).toBe(said)
    expect(ada?.note({ ...none, [what]: each })).toBeUndefined()
  })

  verifies('wall.plugin.shares', 'is forgotten with them', () => {
    const shares = openShares(limits, MACHINE_BYTES)
    const [one, two] = [shares.of('ada'), shares.of('ada')]
    one.note({ ...none, bytes: 60, processes: 1 })
    two.note({ ...none, bytes: 40, processes: 1 })
    one.drop()
    one.drop()
    expect(two.note({ ...none, bytes: 100, processes: 1 })).toBeUndefined()
    expect(shares.users()).toBe(1)
    two.drop()
    expect(shares.users()).toBe(0)
  })
})
