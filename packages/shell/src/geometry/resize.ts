import { clampSize } from './clamp.ts'
import { type Bounds, measures, type Rect, type Size } from './rect.ts'

/** The edges and corners by which a window is resized, by compass point. */
export const edges = ['n', 'ne', 'e', 'se', 's', 'sw', 'w', 'nw'] as const

/** An edge or corner of a window. */
export type Edge = (typeof edges)[number]

/**
 * Pulls an edge or corner by a distance. The opposite edge stays where it is, also when a bound of the view
 * stops the pull; no edge leaves the desktop, the right and lower ones included.
 */
export function pull(
  rect: Rect,
  edge: Edge,
  by: { dx: number; dy: number },
  bounds: Bounds,
  area: Size,
): Rect {
  const right = rect.x + rect.w
  const bottom = rect.y + rect.h
  const west = edge.includes('w')
  const east = edge.includes('e')
  const north = edge.includes('n')
  const south = edge.includes('s')
  const wanted = {
    w: west ? right - Math.max(0, rect.x + by.dx) : east ? Math.min(right + by.dx, area.w) - rect.x : rect.w,
    h: north
      ? bottom - Math.max(0, rect.y + by.dy)
      : south
        ? Math.min(bottom + by.dy, area.h) - rect.y
        : rect.h,
  }
  const size = clampSize({ w: Math.round(wanted.w), h: Math.round(wanted.h) }, bounds)
  return { x: west ? right - size.w : rect.x, y: north ? bottom - size.h : rect.y, ...size }
}

const steps: ReadonlyMap<string, { readonly dx: number; readonly dy: number }> = new Map([
  ['ArrowLeft', { dx: -1, dy: 0 }],
  ['ArrowRight', { dx: 1, dy: 0 }],
  ['ArrowUp', { dx: 0, dy: -1 }],
  ['ArrowDown', { dx: 0, dy: 1 }],
])

/** The distance that a key asks for; `undefined` for a key that is no arrow. */
export function keyStep(key: string, fine: boolean): { dx: number; dy: number } | undefined {
  const step = steps.get(key)
  const px = fine ? measures.KEY_STEP_FINE : measures.KEY_STEP
  return step && { dx: step.dx * px, dy: step.dy * px }
}
