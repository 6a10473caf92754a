import type { Readable } from 'node:stream'
import type { Limits } from '@svc/contract/limits'
import { type Log, logBudget } from '../port/log.ts'
import { asBuffer } from './line-text.ts'
import { readLines } from './reader.ts'

/**
 * Puts a plugin's stderr into the log, a record a line, at a bounded rate.
 *
 * Of a line over the cap only the length is logged. A flood is read in bursts of so many lines or bytes with rests
 * between them: the plugin waits, the runner does not, and nothing is kept.
 */
export function logStderr(
  stderr: Readable,
  about: object,
  { log, limits, now }: { readonly log: Log; readonly limits: Limits; readonly now: () => number },
): void {
  const budget = logBudget(limits.PLUGIN_LOG_PER_SECOND, now)
  let lines = 0
  let bytes = 0
  const rest = () => {
    lines = 0
    bytes = 0
    reader.rest()
  }
  const reader = readLines(stderr, limits, {
    maxBytes: limits.STDERR_LINE_MAX_BYTES,
    onLine(line) {
      if (++lines >= limits.NOISE_BURST_LINES) rest()
      const pass = budget.pass()
      if (!pass) return
      const text =
        'tooLong' in line
          ? `(a line of more than ${limits.STDERR_LINE_MAX_BYTES} bytes)`
          : asBuffer(line).toString()
      log.info({ ...about, event: 'plugin_stderr', ...(pass.dropped > 0 && pass) }, text)
    },
  })
  stderr.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes >= limits.STDERR_BURST_BYTES) rest()
  })
  stderr.once('end', () => reader.drain(() => reader.end(() => {})))
}
