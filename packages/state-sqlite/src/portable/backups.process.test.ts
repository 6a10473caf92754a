import { readdir, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { quickFolder } from '@svc/conformance/testing/quick-folder'
import { optionProblem } from '@svc/node/options'
import { frozenClock } from '@svc/node/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { backupRule, openBackups, openFolder } from '../index.ts'
import { nextTime } from './backups.ts'

const DAY_MS = 86_400_000
/** As a clock of this machine shows it. */
const localTime = (...parts: [number, number, number, number, number]) => new Date(...parts).getTime()

describe('daily backups', () => {
  let root: string
  let dir: string
  let folder: string

  beforeEach(async () => {
    root = quickFolder('svc-backups')
    dir = path.join(root, 'copies')
    folder = path.join(root, 'data')
    await (await openFolder(folder)).close()
  })
  afterEach(() => rm(root, { recursive: true }))

  /** Backups whose outcomes can be waited for, one after the other. */
  function started(clock: ReturnType<typeof frozenClock>, from = folder) {
    const outcomes: (string | Error)[] = []
    let hear = () => {}
    const close = openBackups({
      clock,
      folder: from,
      plan: { dir, at: '03:00', keep: 2 },
      onDone: (file) => {
        outcomes.push(path.basename(file))
        hear()
      },
      onError: (error) => {
        outcomes.push(error as Error)
        hear()
      },
    })
    async function next(): Promise<string | Error | undefined> {
      if (outcomes.length === 0) await new Promise<void>((resolve) => (hear = resolve))
      return outcomes.shift()
    }
    return { close, next, outcomes }
  }

  it('are made at their time, and the newest stay', async () => {
    const clock = frozenClock(localTime(2026, 2, 1, 1, 0))
    const { close, next, outcomes } = started(clock)
    await clock.advance(2 * 3_600_000 - 1)
    expect(outcomes).toEqual([])
    await clock.advance(1)
    const names = [await next()]
    await writeFile(path.join(dir, 'letter.txt'), 'mine')
    await writeFile(path.join(dir, 'svc-20260101T030000Z.tar.part'), 'half')
    for (let day = 0; day < 3; day++) {
      await clock.advance(DAY_MS)
      names.push(await next())
    }
    expect((await readdir(dir)).sort()).toEqual(['letter.txt', ...names.slice(-2)])
    expect(names[0]).toMatch(/^svc-\d{8}T\d{6}Z\.tar$/)
    await close()
    expect(clock.timers).toBe(0)
  })

  it('are tried again a day later when one fails', async () => {
    const clock = frozenClock(localTime(2026, 2, 1, 1, 0))
    const { close, next } = started(clock, path.join(root, 'later'))
    await clock.advance(DAY_MS)
    expect(String(await next())).toContain('there is no data folder')
    await (await openFolder(path.join(root, 'later'))).close()
    await clock.advance(DAY_MS)
    expect(String(await next())).toMatch(/^svc-/)
    await close()
  })

  it('end with a copy that is whole', async () => {
    const clock = frozenClock(localTime(2026, 2, 1, 2, 59))
    const { close } = started(clock)
    await clock.advance(60_000)
    await close()
    expect(await readdir(dir)).toEqual([expect.stringMatching(/^svc-\d{8}T\d{6}Z\.tar$/)])
  })
})

it.each([
  [localTime(2026, 0, 31, 2, 59), localTime(2026, 0, 31, 3, 0)],
  [localTime(2026, 0, 31, 3, 0), localTime(2026, 1, 1, 3, 0)],
  [localTime(2026, 11, 31, 23, 0), localTime(2027, 0, 1, 3, 0)],
])('nextTime after %i is %i', (now, next) => expect(nextTime(now, '03:00')).toBe(next))

it.each([
  [{ dir: './copies', at: '03:00', keep: 7 }, null],
  [{ at: '03:00', keep: 7 }, 'backup.dir must be a text that is not empty, got nothing'],
  [{ dir: 'a', at: '24:00', keep: 7 }, 'backup.at must be a time such as "03:00", got "24:00"'],
  [{ dir: 'a', keep: 7 }, 'backup.at must be a time such as "03:00", got nothing'],
  [{ dir: 'a', at: '03:00', keep: 0 }, 'backup.keep must be a whole number of at least 1, got 0'],
  [{ dir: 'a', at: '03:00', keep: 1, every: 2 }, 'unknown option `backup.every`; there are dir, at, keep'],
  ['03:00', 'backup must be an object with dir, at, keep, got "03:00"'],
  [null, 'backup must be an object with dir, at, keep, got null'],
])('what is wrong with the plan %j is %j', (plan, problem) =>
  expect(optionProblem(backupRule, plan, 'backup')).toBe(problem),
)
