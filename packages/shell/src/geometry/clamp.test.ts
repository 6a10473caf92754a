import { describe, expect, it } from 'vitest'
import { between, clampSize, fitSize, isInside, keepInside, keepReachable, shownRect } from './clamp.ts'

const area = { w: 1_000, h: 600 }
const bounds = { min: { w: 200, h: 160 }, max: { w: 800, h: 500 } }

it.each([
  [5, 0, 10, 5],
  [-1, 0, 10, 0],
  [11, 0, 10, 10],
  [5, 8, 2, 8],
])('between(%d, %d, %d) is %d', (value, low, high, result) => {
  expect(between(value, low, high)).toBe(result)
})

describe('clampSize', () => {
  it.each([
    ['within', { w: 300, h: 300 }, { w: 300, h: 300 }],
    ['too small', { w: 10, h: 10 }, { w: 200, h: 160 }],
    ['too large', { w: 9_000, h: 9_000 }, { w: 800, h: 500 }],
    ['one side each', { w: 10, h: 9_000 }, { w: 200, h: 500 }],
  ])('%s', (_, size, result) => {
    expect(clampSize(size, bounds)).toEqual(result)
  })
})

describe('fitSize', () => {
  it.each([
    ['has room', { w: 700, h: 400 }, area, { w: 700, h: 400 }],
    ['no room', { w: 700, h: 400 }, { w: 500, h: 300 }, { w: 500, h: 300 }],
    ['less room than the view needs', { w: 700, h: 400 }, { w: 100, h: 100 }, { w: 200, h: 160 }],
  ])('%s', (_, size, bed, result) => {
    expect(fitSize(size, bounds, bed)).toEqual(result)
  })
})

describe('keepReachable', () => {
  it.each([
    ['inside', { x: 10, y: 10 }, { x: 10, y: 10 }],
    ['over the left edge', { x: -250, y: 10 }, { x: -204, y: 10 }],
    ['over the right edge', { x: 990, y: 10 }, { x: 904, y: 10 }],
    ['over the top edge', { x: 10, y: -30 }, { x: 10, y: 0 }],
    ['over the lower edge', { x: 10, y: 900 }, { x: 10, y: 560 }],
    ['between two pixels', { x: 10.4, y: 10.6 }, { x: 10, y: 11 }],
  ])('%s', (_, { x, y }, result) => {
    expect(keepReachable({ x, y, w: 300, h: 200 }, area)).toEqual({ ...result, w: 300, h: 200 })
  })
})

describe('keepInside', () => {
  it.each([
    ['inside', { x: 10, y: 10, w: 300, h: 200 }, { x: 10, y: 10 }],
    ['over the right edge', { x: 900, y: 10, w: 300, h: 200 }, { x: 700, y: 10 }],
    ['larger than the desktop', { x: 50, y: 50, w: 2_000, h: 2_000 }, { x: 0, y: 0 }],
  ])('%s', (_, rect, result) => {
    expect(keepInside(rect, area)).toMatchObject(result)
  })
})

it.each([
  [0, 0, true],
  [700, 400, true],
  [701, 400, false],
  [-1, 0, false],
  [0, 401, false],
])('isInside at %d, %d: %s', (x, y, result) => {
  expect(isInside({ x, y, w: 300, h: 200 }, area)).toBe(result)
})

describe('shownRect', () => {
  const rect = { x: 700, y: 300, w: 700, h: 450 }

  it('draws a window smaller on a small desktop, and leaves its own place alone', () => {
    expect(shownRect(rect, bounds, { w: 500, h: 300 }, false)).toEqual({ x: 0, y: 0, w: 500, h: 300 })
    expect(shownRect(rect, bounds, { w: 1_200, h: 900 }, false)).toEqual({ ...rect, x: 500 })
    expect(shownRect(rect, bounds, { w: 1_600, h: 900 }, false)).toEqual(rect)
  })

  it('leaves a window over the edge where it was put there, within reach', () => {
    expect(shownRect(rect, bounds, { w: 1_200, h: 900 }, true)).toEqual(rect)
    expect(shownRect(rect, bounds, { w: 500, h: 300 }, true)).toEqual({ x: 404, y: 260, w: 500, h: 300 })
  })
})
