import { webcrypto } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'

/** Turns of the event loop without anything new after which nothing is under way any more. */
const QUIET_TURNS = 6
/** The same between two timers: a day has a hundred thousand of them. */
const QUIET_TURNS_BETWEEN = 3
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
  /** Resolves sooner: when what a timer did has most likely happened. */
  settledBetween(): Promise<void>
}

/** Opens the count. */
export function openActivity(): Activity {
  let count = 0
  let busy = 0

  async function quiet(turns: number): Promise<void> {
    for (let passed = 0; passed < (busy > 0 ? QUIET_TURNS_BUSY : turns); ) {
      const before = count
      // Tokens are signed and checked on other threads: behind them a job of our own comes back.
      if (busy > 0) await webcrypto.subtle.digest('SHA-256', NOTHING)
      await nextTurn()
      passed = count === before ? passed + 1 : 0
    }
  }

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
    settled: () => quiet(QUIET_TURNS),
    settledBetween: () => quiet(QUIET_TURNS_BETWEEN),
  }
}
