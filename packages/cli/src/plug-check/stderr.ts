import type { Limits } from '@svc/contract'

const ERROR = /error|exception|panic/i

/** Keeps the end of a plugin's log: its last line says best why it ended. */
export function openStderr(limits: Limits) {
  let tail = ''
  return {
    take(chunk: Buffer): void {
      tail = (tail + chunk.toString()).slice(-limits.STDERR_LINE_MAX_BYTES)
    },
    /** The last line that speaks of an error, else the last one. */
    last(): string {
      const lines = tail.split('\n').map((line) => line.trim())
      const line = lines.findLast((one) => ERROR.test(one)) ?? lines.findLast((one) => one !== '') ?? ''
      return line.slice(0, limits.NOISE_SHOWN_CHARS)
    },
  }
}
