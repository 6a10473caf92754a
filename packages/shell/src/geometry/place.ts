import { fitSize, isInside, keepInside } from './clamp.ts'
import { type Bounds, measures, type Rect, type Size } from './rect.ts'

/** A window that had to be smaller than this part of its size goes elsewhere. */
const USEFUL_PART = 0.6

/**
 * Where a new window goes: to the right or left of the one that opened it, else into free room, else stepping
 * down from its opener or the top left corner, a little smaller where it must, so that every title bar stays
 * to be seen.
 */
export function place(size: Size, bounds: Bounds, area: Size, others: readonly Rect[], opener?: Rect): Rect {
  const { CASCADE, MARGIN } = measures
  const spots = [...(opener ? spotsBeside(opener, size, area) : []), ...spotsAmong(others)]
  const free = spots
    .map(({ x, y }) => ({ x, y, ...size }))
    .find((rect) => isInside(rect, area) && others.every((other) => !overlap(rect, other)))
  if (free) return free

  const start = opener ?? { x: MARGIN - CASCADE, y: MARGIN - CASCADE }
  for (let step = 1; step <= others.length + 1; step++) {
    const [x, y] = [start.x + step * CASCADE, start.y + step * CASCADE]
    const rect = { x, y, ...fitSize(size, bounds, { w: area.w - x - MARGIN, h: area.h - y - MARGIN }) }
    const isUseful = rect.w >= size.w * USEFUL_PART && rect.h >= size.h * USEFUL_PART
    if (isUseful && isInside(rect, area) && others.every((other) => !hides(rect, other))) return rect
  }
  return keepInside({ x: start.x + CASCADE, y: start.y + CASCADE, ...size }, area)
}

interface Spot {
  readonly x: number
  readonly y: number
}

function spotsBeside(opener: Rect, size: Size, area: Size): Spot[] {
  const y = Math.max(0, Math.min(opener.y, area.h - size.h))
  return [
    { x: opener.x + opener.w + measures.MARGIN, y },
    { x: opener.x - measures.MARGIN - size.w, y },
  ]
}

/** The top left corner of the desktop, and the corners that windows leave beside and below them. */
function spotsAmong(others: readonly Rect[]): Spot[] {
  const { MARGIN } = measures
  const xs = [MARGIN, ...others.map(({ x, w }) => x + w + MARGIN)].sort((a, b) => a - b)
  const ys = [MARGIN, ...others.map(({ y, h }) => y + h + MARGIN)].sort((a, b) => a - b)
  return ys.flatMap((y) => xs.map((x) => ({ x, y })))
}

const overlap = (a: Rect, b: Rect) => a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h

/** Whether a window at `rect` lies on the title bar of the other one, or so near that the two look like one. */
const hides = (rect: Rect, other: Rect) =>
  Math.abs(rect.x - other.x) < measures.CASCADE && Math.abs(rect.y - other.y) < measures.CASCADE
