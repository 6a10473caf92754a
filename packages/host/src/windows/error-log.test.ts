import { verifies } from '@svc/conformance/verifies'
import { limits } from '@svc/contract'
import { frozenClock } from '@svc/node/testing'
import { pino } from 'pino'
import { expect } from 'vitest'
import type { WindowRecord } from '../catalog/window-row.ts'
import { openErrorLog } from './error-log.ts'

const window = (id: string) => ({ id, row: { user_id: 'ada', app_id: 'app_1' } }) as WindowRecord

verifies(
  'wall.logs.errors',
  'what a bundle reports is logged cut, thirty times a minute, and one line tells of the rest',
  async () => {
    const lines: { msg: string; window: string; message?: string }[] = []
    const log = pino({}, { write: (line: string) => void lines.push(JSON.parse(line)) })
    const clock = frozenClock()
    const errors = openErrorLog({ clock, limits, log })
    const of = (id: string) => lines.filter((line) => line.window === id).map(({ msg }) => msg)
    for (let report = 0; report < 1_000; report += 1) errors.report(window('w1'), 'x'.repeat(4_000), false)
    const reported = Array.from({ length: 30 }, () => 'a bundle reported an error')
    expect(of('w1')).toEqual([...reported, 'a bundle reported more errors than the log takes in a minute'])
    expect(lines.every(({ message = '' }) => message.length <= 500)).toBe(true)
    errors.report(window('w2'), 'oops', true)
    expect(lines.at(-1)).toMatchObject({ window: 'w2', status: 'crashed', message: 'oops' })
    await clock.advance(60_000)
    errors.report(window('w1'), 'again', false)
    expect(of('w1')).toHaveLength(32)
  },
)
