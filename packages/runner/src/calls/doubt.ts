import { type MeantLine, meantLines, notUtf8, withoutEnd, withoutId } from '@svc/contract/meant-line'
import type { Answer } from './answer.ts'

/**
 * What of the output of a process may have been meant as the answer that is waited for
 * (docs/decisions/0171-lines-that-are-meant.md). A right answer behind such a line counts: `soon` calls back a moment
 * later, and what `fail` gets ends the wait.
 */
export function openDoubt(plugin: string, soon: (then: () => void) => void, fail: (answer: Answer) => void) {
  const judge = meantLines()
  let found: Answer | undefined
  /** Tells of the line as noise, where it turns out to be that. */
  let asNoise: (() => void) | undefined

  const doubt = (line: MeantLine | undefined) => {
    if (!line) return
    const answer: Answer = { kind: 'meant', plugin, line }
    found = answer
    soon(() => {
      if (found !== answer) return
      asNoise = undefined
      fail(answer)
    })
  }

  return {
    /** Looks at a line that is not a message, where a request with this id waits; `noise` is called where it is none. */
    look(line: Uint8Array, id: string | undefined, noise: () => void): void {
      const meant = id === undefined || found ? undefined : judge(line, (one) => one === id)
      if (meant) asNoise = noise
      else noise()
      doubt(meant)
    },
    /** Looks at a message, where a request waits: it may be an answer that does not say whose. */
    lookAtNameless(message: object): void {
      if (!found) doubt(withoutId(message))
    },
    /** Looks at JSON whose line has not ended. */
    lookAtOpen(line: Uint8Array, id: string): void {
      if (!found) doubt(withoutEnd(line, (one) => one === id))
    },
    /** The answer is not UTF-8. */
    damaged(line: Uint8Array): void {
      fail({ kind: 'meant', plugin, line: notUtf8(line) })
    },
    /** What may have been the answer. */
    answer(): Answer | undefined {
      asNoise = undefined
      return found
    },
    /** The wait is over. */
    clear(): void {
      asNoise?.()
      asNoise = undefined
      found = undefined
    },
  }
}
