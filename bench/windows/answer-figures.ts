import { setTimeout as sleep } from 'node:timers/promises'
import { openTurnMeter, type TurnMeter } from '@svc/conformance/testing/turn-meter'
import type { ProcessFigures, When } from './process.ts'

const SETTLE_MS = 200

/** In a server process: says that it listens, and answers questions for its figures. */
export function answerFigures(
  ready: Readonly<Record<string, string | number>>,
  close: () => Promise<unknown>,
) {
  let meter: TurnMeter | undefined
  process.on('message', async (when: When) => {
    // Its timer costs CPU time.
    if (when === 'watch') meter ??= openTurnMeter()
    const longestTurnMs = meter?.longestMs() ?? Number.NaN
    for (let n = 0; n < 3 && when === 'rest'; n++) {
      globalThis.gc?.()
      await sleep(SETTLE_MS)
    }
    const { user, system } = process.cpuUsage()
    const { heapUsed, external, rss } = process.memoryUsage()
    const figures: ProcessFigures = {
      cpuUs: user + system,
      heapBytes: heapUsed + external,
      rssBytes: rss,
      longestTurnMs,
    }
    process.send?.(figures)
  })
  process.on('disconnect', () => void close().then(() => process.exit()))
  process.send?.(ready)
}
