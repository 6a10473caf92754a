import { webcrypto } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'

/** Turns of the event loop without anything new after which nothing is under way any more. */
const QUIET_TURNS = 6
/** The same while a request waits, a tool works or a model speaks: there what happens is not all seen. */
const QUIET_TURNS_BUSY = 16

const NOTHING = new Uint8Array()

/** What is going on in a test host: what waits for quiet asks here. */
export interface Activity {
  /** Something happened: a message, a part of an answer, a timer. */
  touch(): void
  /** Something is under way that ends by itself or waits for the clock; returns how to tell that it ended. */
  begin(): () => void
  /** Resolves when all that can happen without the clock or the test has happened. */
  settled(): Promise<void>
}

/** Opens the count. */
export function openActivity(): Activity {
  let count = 0
  let busy = 0

  return {
    touch() {
      count++
    },
    begin() {
      count++
      busy++
      let isOver = false
      return () => {
        if (isOver) return
        isOver = true
        count++
        busy--
      }
    },
    async settled() {
      let quiet = 0
      while (quiet < (busy > 0 ? QUIET_TURNS_BUSY : QUIET_TURNS)) {
        const before = count
        // Tokens are signed and checked on other threads: behind them a job of our own comes back.
        if (busy > 0) await webcrypto.subtle.digest('SHA-256', NOTHING)
        await nextTurn()
        quiet = count === before ? quiet + 1 : 0
      }
    },
  }
}
