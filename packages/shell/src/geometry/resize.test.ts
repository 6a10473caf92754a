import { describe, expect, it } from 'vitest'
import { keyStep, pull } from './resize.ts'

const area = { w: 1_000, h: 800 }
const bounds = { min: { w: 200, h: 160 }, max: { w: 600, h: 500 } }
const rect = { x: 100, y: 100, w: 400, h: 300 }

describe('pull', () => {
  it.each([
    ['e', { dx: 50, dy: 99 }, { x: 100, y: 100, w: 450, h: 300 }],
    ['s', { dx: 99, dy: 50 }, { x: 100, y: 100, w: 400, h: 350 }],
    ['w', { dx: 50, dy: 0 }, { x: 150, y: 100, w: 350, h: 300 }],
    ['n', { dx: 0, dy: -50 }, { x: 100, y: 50, w: 400, h: 350 }],
    ['se', { dx: 10, dy: 20 }, { x: 100, y: 100, w: 410, h: 320 }],
    ['nw', { dx: 10, dy: 20 }, { x: 110, y: 120, w: 390, h: 280 }],
    ['ne', { dx: 10, dy: 20 }, { x: 100, y: 120, w: 410, h: 280 }],
    ['sw', { dx: 10, dy: 20 }, { x: 110, y: 100, w: 390, h: 320 }],
  ] as const)('%s by %o', (edge, by, result) => {
    expect(pull(rect, edge, by, bounds, area)).toEqual(result)
  })

  it.each([
    ['e', { dx: 900, dy: 0 }, { x: 100, w: 600 }],
    ['e', { dx: -900, dy: 0 }, { x: 100, w: 200 }],
    ['w', { dx: -900, dy: 0 }, { x: 0, w: 500 }],
    ['w', { dx: 900, dy: 0 }, { x: 300, w: 200 }],
    ['s', { dx: 0, dy: 900 }, { y: 100, h: 500 }],
    ['n', { dx: 0, dy: -900 }, { y: 0, h: 400 }],
    ['n', { dx: 0, dy: 900 }, { y: 240, h: 160 }],
  ] as const)('stops %s by %o at a bound, the opposite edge stays', (edge, by, result) => {
    expect(pull(rect, edge, by, bounds, area)).toMatchObject(result)
  })

  it('stops at the edge of the desktop', () => {
    const wide = { min: bounds.min, max: { w: 5_000, h: 5_000 } }
    expect(pull(rect, 'se', { dx: 2_000, dy: 2_000 }, wide, area)).toEqual({ x: 100, y: 100, w: 900, h: 700 })
  })
})

it.each([
  ['ArrowLeft', false, { dx: -16, dy: 0 }],
  ['ArrowRight', true, { dx: 1, dy: 0 }],
  ['ArrowUp', false, { dx: 0, dy: -16 }],
  ['ArrowDown', true, { dx: 0, dy: 1 }],
  ['Enter', false, undefined],
])('keyStep(%s, fine: %s)', (key, fine, result) => {
  expect(keyStep(key, fine)).toEqual(result)
})
