import { pause } from '@svc/node'
import type { Logger } from '../../kernel/logger.ts'

/**
 * Responds with JSON lines. A line is made when the one before it is taken, and others have a turn between two; a
 * reader who leaves ends the source. A source that fails is logged, and its reader is cut off, so that he takes no part
 * for all.
 */
export function jsonLines(source: AsyncIterable<unknown>, log: Pick<Logger, 'error'>): Response {
  const lines = source[Symbol.asyncIterator]()
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        await pause()
        const { value, done } = await lines.next().catch((err: unknown) => {
          log.error({ err }, 'lines of an answer could not be read')
          throw err
        })
        if (done) controller.close()
        else controller.enqueue(Buffer.from(`${JSON.stringify(value)}\n`))
      },
      async cancel() {
        await lines.return?.()
      },
    },
    { highWaterMark: 0 },
  )
  return new Response(body, {
    headers: {
      'content-type': 'application/x-ndjson; charset=utf-8',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    },
  })
}
