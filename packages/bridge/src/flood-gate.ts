import {
  FLOOD_CALLS_MAX,
  FLOOD_MESSAGES_MAX,
  FLOOD_POSTS_MAX,
  FLOOD_SLICE_MAX_MS,
} from '@svc/contract/browser'
import type { Clock } from './clock.ts'

/** What a frame may say in one slice of time: messages to the page itself, messages on its ports, and calls in them. */
const most = { posts: FLOOD_POSTS_MAX, messages: FLOOD_MESSAGES_MAX, calls: FLOOD_CALLS_MAX }

/** Counts what a frame says; false where it is too much and is not to be read. */
export type FloodGate = (what: keyof typeof most, count?: number) => boolean

/**
 * Makes the gate of one frame, and `renew`, which begins a slice. Renewed by a timer: behind a flood the timer comes
 * late, so that what is queued counts together however slow the page is. A hidden page has late timers too: there
 * the clock ends a slice. `onFlood` is told in a sentence.
 */
export function createFloodGate(clock: Clock, onFlood: (sentence: string) => void) {
  let left: Record<keyof typeof most, number>
  let end: number
  const renew = () => {
    left = { ...most }
    end = clock.now() + FLOOD_SLICE_MAX_MS
  }
  renew()
  const gate: FloodGate = (what, count = 1) => {
    if (clock.now() > end) renew()
    left[what] -= count
    const flooded = left[what] < 0
    if (flooded) onFlood(`more than ${most[what]} ${what} in a second`)
    return !flooded
  }
  return { gate, renew }
}
