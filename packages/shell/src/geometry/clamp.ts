import { type Bounds, measures, type Rect, type Size } from './rect.ts'

/** The number nearest to `value` between two; where they cross, the lower bound holds. */
export const between = (value: number, low: number, high: number): number =>
  Math.max(low, Math.min(value, high))

/** The size nearest to `size` that the view allows. */
export const clampSize = ({ w, h }: Size, { min, max }: Bounds): Size => ({
  w: between(w, min.w, max.w),
  h: between(h, min.h, max.h),
})

/** A frame that fits the desktop as far as its view allows. */
export const fitSize = (size: Size, bounds: Bounds, area: Size): Size =>
  clampSize({ w: Math.min(size.w, area.w), h: Math.min(size.h, area.h) }, bounds)

/** Keeps a title bar within reach: below the top edge, above the bottom one, and never far over a side. */
export function keepReachable(rect: Rect, area: Size): Rect {
  const { KEEP_VISIBLE, TITLE_BAR } = measures
  return {
    ...rect,
    x: Math.round(between(rect.x, KEEP_VISIBLE - rect.w, area.w - KEEP_VISIBLE)),
    y: Math.round(between(rect.y, 0, area.h - TITLE_BAR)),
  }
}

/** Moves a frame wholly onto the desktop; one that is larger starts at the top left corner. */
export const keepInside = (rect: Rect, area: Size): Rect => ({
  ...rect,
  x: Math.round(between(rect.x, 0, area.w - rect.w)),
  y: Math.round(between(rect.y, 0, area.h - rect.h)),
})

/** Whether a frame lies wholly on the desktop. */
export const isInside = ({ x, y, w, h }: Rect, area: Size): boolean =>
  x >= 0 && y >= 0 && x + w <= area.w && y + h <= area.h

/** Where a maximised window is drawn: as large as its view and the desktop allow, and in the middle of it. */
export function fillRect(bounds: Bounds, area: Size): Rect {
  const { w, h } = fitSize(area, bounds, area)
  return { x: Math.max(0, Math.round((area.w - w) / 2)), y: Math.max(0, Math.round((area.h - h) / 2)), w, h }
}

/**
 * Where a window is drawn: in its own place, but no larger than the desktop as far as its view allows, and inside it,
 * unless it was put over an edge (`over`); then it stays within reach. Its own place is kept, for when the desktop has
 * its old size again.
 */
export function shownRect(rect: Rect, bounds: Bounds, area: Size, over: boolean): Rect {
  const fitted = { ...rect, ...fitSize(rect, bounds, area) }
  return over ? keepReachable(fitted, area) : keepInside(fitted, area)
}
