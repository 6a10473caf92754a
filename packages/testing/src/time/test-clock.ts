import type { Clock } from '@svc/node'
import { frozenClock } from '@svc/node/testing'
import { TestHostError } from '../errors/test-host-error.ts'
import type { Activity } from './activity.ts'

/** The timers of Node as they were when this package was loaded: a test may put others in their place. */
const { setImmediate: soon, clearImmediate: notSoon } = globalThis

/** The longest part of a move that other clocks follow, in ms. */
const STEP_MS = 1_000

/** The clock of a test: host, bridge, SDK and tools go by it, and it moves only when the test says so. */
export interface TestClock {
  /** Returns the Unix time in ms. */
  now(): number
  /**
   * Lets all happen that can at this time, then moves time on by `ms`: what falls due on the way fires in its order, each
   * at its own time. Resolves when all that follows from it has happened. @throws TestHostError for what is no time.
   *
   * @example
   * ```ts
   * const asked = svc.tools.invoke({ tool_id: 'slow', method: 'think' }, { timeoutMs: 5_000 })
   * await host.clock.advance(5_000)
   * await expect(asked).rejects.toMatchObject({ code: 'timeout' })
   * ```
   */
  advance(ms: number): Promise<void>
  /** Resolves when all that can happen at this time has happened. */
  settled(): Promise<void>
  /**
   * Lets another clock follow, such as that of a browser: `move` is called with each part of a move, of a second at most.
   * Returns how to stop.
   */
  follow(move: (ms: number) => Promise<void>): () => void
}

/** The same clock as everybody in it takes it. */
export interface Clocks {
  readonly test: TestClock
  /** For the host, its runner and its state. */
  readonly host: Clock
  /** For bridge and SDK. */
  readonly page: {
    now(): number
    setTimeout(run: () => void, ms: number): unknown
    clearTimeout(timer: unknown): void
  }
  /** From now on no other clock follows. */
  release(): void
}

/**
 * Makes the clocks of a test host. A timer of 0 ms needs no time, so it fires in the next turn of the event loop.
 * `start` is in Unix ms.
 */
export function openClocks(start: number, activity: Activity): Clocks {
  const frozen = frozenClock(start, activity.settledBetween)
  const followers = new Set<(ms: number) => Promise<void>>()
  let moving = Promise.resolve()

  async function move(ms: number): Promise<void> {
    // What was begun before sets its timers by the time at which it was begun.
    await activity.settled()
    if (followers.size === 0) await frozen.advance(ms)
    else await moveTogether(ms)
    await activity.settled()
  }

  async function moveTogether(ms: number): Promise<void> {
    for (let left = ms; left > 0; left -= STEP_MS) {
      const step = Math.min(left, STEP_MS)
      await frozen.advance(step)
      for (const follow of followers) await follow(step)
      await activity.settled()
    }
  }

  function setTimer(fn: () => void, ms: number): () => void {
    activity.touch()
    const run = () => {
      activity.touch()
      fn()
    }
    if (ms > 0) return frozen.setTimer(run, ms)
    const turn = soon(run)
    return () => notSoon(turn)
  }

  return {
    test: {
      now: frozen.now,
      settled: activity.settled,
      follow(move) {
        followers.add(move)
        return () => void followers.delete(move)
      },
      async advance(ms) {
        if (!Number.isFinite(ms) || ms < 0)
          throw new TestHostError(
            `clock.advance takes ms of at least 0, got ${ms}`,
            'Time does not go back, and has no end: name what shall pass, such as host.clock.advance(1_000).',
          )
        // A move that failed, because a clock that follows did, is told once.
        const moved = moving.then(() => move(ms))
        moving = moved.catch(() => undefined)
        await moved
      },
    },
    host: { now: frozen.now, setTimer },
    page: {
      now: frozen.now,
      setTimeout: setTimer,
      clearTimeout: (timer) => (timer as (() => void) | undefined)?.(),
    },
    release: () => followers.clear(),
  }
}
