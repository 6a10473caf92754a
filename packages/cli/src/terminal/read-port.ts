import { failure } from './failure.ts'

const PORT_MAX = 65_535

/** Reads `--port`. Errors: `usage`. */
export function readPort(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN
  if (port <= PORT_MAX) return port
  throw failure('usage', `--port must be a whole number from 0 to ${PORT_MAX}, got ${JSON.stringify(text)}`)
}
