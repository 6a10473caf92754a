import type { Readable } from 'node:stream'
import type { Limits } from '@svc/contract/limits'
import { lineSplitter } from '@svc/contract/lines'
import { asBuffer } from './line-text.ts'
import { type Log, logBudget } from './log.ts'

/**
 * Puts a plugin's stderr into the log, a record a line, at a bounded rate.
 *
 * A line over the cap is told by its length alone. A flood is read in bursts with rests between them: the plugin
 * waits, the runner does not, and nothing is kept.
 */
export function logStderr(
  stderr: Readable,
  about: object,
  { log, limits, now }: { readonly log: Log; readonly limits: Limits; readonly now: () => number },
): void {
  const budget = logBudget(limits.PLUGIN_LOG_PER_SECOND, now)
  let burst = 0
  const splitter = lineSplitter(limits.STDERR_LINE_MAX_BYTES, (line) => {
    const pass = budget.pass()
    if (!pass) return
    const text =
      'tooLong' in line
        ? `(a line of more than ${limits.STDERR_LINE_MAX_BYTES} bytes)`
        : asBuffer(line).toString()
    log.info({ ...about, event: 'plugin_stderr', ...(pass.dropped > 0 && pass) }, text)
  })
  const rest = () => {
    stderr.pause()
    setTimeout(() => {
      burst = 0
      stderr.resume()
    }, limits.NOISE_REST_MS)
  }
  stderr.on('data', (chunk: Buffer) => {
    splitter.push(chunk)
    burst += chunk.length
    if (burst >= limits.STDERR_BURST_BYTES) rest()
  })
  stderr.on('end', () => splitter.end())
}
