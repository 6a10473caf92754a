import { verifies } from '@svc/conformance/verifies'
import { expect, it } from 'vitest'
import { machine } from './machine.ts'

const door = machine({
  open: { close: 'shut' },
  shut: { open: 'open', lock: 'locked', burn: 'gone' },
  locked: { burn: 'gone' },
  gone: {},
})

verifies.each('design.machine.next')([
  ['open', 'close', 'shut'],
  ['open', 'lock', null],
  ['shut', 'open', 'open'],
  ['gone', 'close', null],
] as const)('%s on %s becomes %s', (state, event, next) => {
  expect(door.next(state, event)).toBe(next)
})

verifies.each('design.machine.sources')([
  ['close', ['open']],
  ['burn', ['shut', 'locked']],
] as const)('%s leaves %j', (event, sources) => {
  expect(door.sources(event)).toEqual(sources)
})

it('lists states and events once each, as they come', () => {
  expect(door.states).toEqual(['open', 'shut', 'locked', 'gone'])
  expect(door.events).toEqual(['close', 'open', 'lock', 'burn'])
})

verifies('design.machine.active', 'tells what is left from what is not', () => {
  expect([...door.active]).toEqual(['open', 'shut', 'locked'])
  expect([...door.terminal]).toEqual(['gone'])
})

it('finds no move by an inherited name', () => {
  for (const name of ['constructor', 'toString', '__proto__']) {
    expect(door.next('open', name as 'close')).toBeNull()
    expect(door.next(name as 'open', 'close')).toBeNull()
    expect(door.sources(name as 'close')).toEqual([])
  }
})
