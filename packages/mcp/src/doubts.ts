import { limits } from '@svc/contract/limits'
import { type MeantLine, meantLines, meantSentence, withoutEnd, withoutId } from '@svc/contract/meant-line'
import type { LineId } from '@svc/contract/stdio'

/**
 * The requests that a server has not answered, and the lines that may have been meant as an answer
 * (docs/decisions/0171-lines-that-are-meant.md). `fail` takes what is said of one behind which no right answer came.
 */
export function openDoubts(fail: (id: LineId, message: string) => void) {
  const judge = meantLines()
  const waiting = new Set<LineId>()
  const doubts = new Map<LineId, () => void>()
  const waits = (id: LineId) => waiting.has(id)

  function doubt(line: MeantLine | undefined): void {
    const [id, ...others] = line?.ids.length ? line.ids : waiting
    if (!line || id === undefined || others.length > 0 || doubts.has(id)) return
    const end = () => {
      clearTimeout(timer)
      doubts.delete(id)
      if (waiting.delete(id)) fail(id, `${meantSentence('the MCP server', line)}. ${line.hint}`)
    }
    const timer = setTimeout(end, limits.MEANT_LINE_MS)
    doubts.set(id, end)
  }

  return {
    /** The server is asked. */
    asked: (id: LineId): void => void waiting.add(id),
    /** It has answered. */
    answered(id: LineId): void {
      waiting.delete(id)
      doubts.delete(id)
    },
    /** Looks at a line that is not a message. */
    look(line: Uint8Array): void {
      if (waiting.size > 0) doubt(judge(line, waits))
    },
    /** Looks at a message without an id: it may be an answer that does not say whose. */
    lookAtNameless: (message: object): void => doubt(withoutId(message)),
    /** Looks at a line that may never end. */
    lookAtOpen: (line: Uint8Array): void => doubt(withoutEnd(line, waits)),
    /** No more comes: what may have been an answer was one. */
    end(): void {
      for (const end of [...doubts.values()]) end()
    },
  }
}
