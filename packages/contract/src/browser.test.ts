import { expect, it } from 'vitest'
import * as browser from './browser.ts'
import { limits } from './limits/index.ts'
import { job } from './states/job.ts'
import { bundleEvents } from './values/lanes.ts'
import { events } from './wire/events.ts'

const { activeJobStates, unaskedProblem: _, unagreedProblem: __, offlineProblem: ___, ...numbers } = browser

it.each(Object.entries(numbers))('%s is the same in the table of limits', (name, value) => {
  expect(limits).toHaveProperty(name, value)
})

it('names the events of a bundle as the table of events does', () => {
  const rows = Object.entries(events).filter(([, row]) => row.to === 'bundle')
  expect([...bundleEvents].sort()).toEqual(rows.map(([name]) => name).sort())
})

it('names the states of a job that has not ended as the table of states does', () => {
  expect([...activeJobStates].sort()).toEqual([...job.active].sort())
})
