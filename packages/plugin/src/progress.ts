import { jsonText } from '@svc/contract/json-oddity'
import { limits } from '@svc/contract/limits'
import { JSONRPC, type LineId } from '@svc/contract/stdio'
import { sentenceOf } from './sentence.ts'

/** Where progress goes, and what is said about it. */
export interface ProgressOutlet {
  /** Takes one line, without its line feed, unless too much waits for the host already; says whether it did. */
  tell(line: string): boolean
  log(...what: readonly unknown[]): void
}

/**
 * Makes what writes the progress of one call. It never throws: progress is worth less than the work it tells of, and
 * often comes out of a timer, where an error ends the process. What is let go is logged, once for each reason.
 */
export function progressOf(id: LineId, out: ProgressOutlet) {
  const said = new Set<string>()
  const say = (reason: string, ...more: readonly unknown[]) => {
    if (said.has(reason)) return
    said.add(reason)
    out.log(`progress: ${reason}`, ...more)
  }

  const write = (type: string, data: unknown) => {
    const text = jsonText(data, 'data') ?? 'null'
    const bytes = Buffer.byteLength(text)
    if (bytes > limits.PROGRESS_MAX_BYTES)
      say(`its data may have ${limits.PROGRESS_MAX_BYTES} bytes of JSON, the host drops more`, bytes)
    const params = `{"id":${JSON.stringify(id)},"type":${JSON.stringify(String(type))},"data":${text}}`
    if (!out.tell(`{"jsonrpc":"${JSONRPC}","method":"progress","params":${params}}`))
      say('it comes faster than the host reads it, so some was not sent')
  }

  return (type: string, data: unknown): void => {
    try {
      write(type, data)
    } catch (error) {
      say('JSON cannot hold it, so it was not sent', sentenceOf(error).split('\n', 1)[0])
    }
  }
}
