import { describe, expect, it } from 'vitest'
import { place } from './place.ts'

const area = { w: 1_000, h: 600 }
const size = { w: 300, h: 200 }
const bounds = { min: { w: 120, h: 160 }, max: { w: 2_000, h: 2_000 } }
const at = (x: number, y: number, w = 300, h = 200) => ({ x, y, w, h })

describe('place', () => {
  it.each([
    ['the first one', [], undefined, [16, 16]],
    ['beside the others', [at(16, 16)], undefined, [332, 16]],
    ['a row of three', [at(16, 16), at(332, 16)], undefined, [648, 16]],
    ['below a full row', [at(16, 16), at(332, 16), at(648, 16)], undefined, [16, 232]],
    ['right of its opener', [at(16, 100)], at(16, 100), [332, 100]],
    ['left of an opener at the right edge', [at(650, 100)], at(650, 100), [334, 100]],
    ['moved up beside a low opener', [at(16, 500)], at(16, 500), [332, 400]],
    ['a step down where nothing is free', [at(0, 0, 1_000, 600)], undefined, [48, 48]],
    ['a step from an opener that fills the desktop', [at(0, 0, 1_000, 600)], at(0, 0, 1_000, 600), [32, 32]],
  ])('puts a window: %s', (_, others, opener, [x, y]) => {
    expect(place(size, bounds, area, others, opener)).toEqual({ x, y, ...size })
  })

  it('never hides a title bar while there is room for a step', () => {
    const full = at(0, 0, 1_000, 600)
    const placed = [full]
    for (let count = 0; count < 8; count++) placed.push(place(size, bounds, area, placed))
    const corners = placed.map(({ x, y }) => `${x},${y}`)
    expect(new Set(corners).size).toBe(placed.length)
  })

  it('makes a window smaller rather than to hide a title bar', () => {
    const tall = { w: 900, h: 560 }
    const first = place(tall, bounds, area, [])
    const second = place(tall, bounds, area, [first])
    expect([first, second]).toEqual([at(16, 16, 900, 560), at(48, 48, 900, 536)])
    const fixed = { min: tall, max: tall }
    expect(place(tall, fixed, area, [first])).toEqual(at(16, 16, 900, 560))
  })

  it('puts a window that is larger than the desktop at its corner', () => {
    expect(
      place({ w: 2_000, h: 2_000 }, { min: { w: 2_000, h: 2_000 }, max: { w: 2_000, h: 2_000 } }, area, []),
    ).toEqual({ x: 0, y: 0, w: 2_000, h: 2_000 })
  })
})
