import type { Limits } from '@svc/contract/limits'
import { plainLine } from './plain-text.ts'

const ERROR = /error|exception|panic/i
/** A frame of a stack, in whose file names there may be errors, and what Node says after each. */
const BESIDE = /^at |^Node\.js v/

/** Keeps the end of what a plugin writes to stderr: its last line says best why it ended. */
export function openLastWords(limits: Limits) {
  let tail = ''
  return {
    /** Takes what came on stderr. */
    take(chunk: Buffer): void {
      tail = (tail + chunk.toString()).slice(-limits.STDERR_LINE_MAX_BYTES)
    },
    /** The last line that speaks of an error, else the last one; plain text of at most `NOISE_SHOWN_CHARS`. */
    last(): string {
      const lines = tail.split(/[\r\n]+/).map(plainLine)
      const spoken = lines.filter((line) => line !== '' && !BESIDE.test(line))
      return (spoken.findLast((line) => ERROR.test(line)) ?? spoken.at(-1) ?? '').slice(
        0,
        limits.NOISE_SHOWN_CHARS,
      )
    },
  }
}

/** The sentence of a failure with what the plugin said last, where it said anything that is not in it. */
export function withLastWords(
  message: string,
  details: Readonly<Record<string, unknown>> | undefined,
): string {
  const said = details?.stderr
  return typeof said !== 'string' || said === '' || message.includes(said)
    ? message
    : `${message.replace(/\.$/, '')} (its stderr: ${said})`
}
