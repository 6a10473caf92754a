import type { RouteContext } from './env.ts'

const words: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['false', false],
])

/** The query of a route as arguments: `?limit=50&include_expired=true` is a number and a switch. */
export const queryArgs = (c: RouteContext): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(c.req.query()).map(([name, value]) => [
      name,
      /^\d+$/.test(value) ? Number(value) : (words.get(value) ?? value),
    ]),
  )
