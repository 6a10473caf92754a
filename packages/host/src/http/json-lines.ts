import { pause } from '../pause.ts'

/**
 * Answers with JSON lines. A line is made when the one before it is taken, and others have a turn between two; a reader
 * who leaves ends the source.
 */
export function jsonLines(source: AsyncIterable<unknown>): Response {
  const lines = source[Symbol.asyncIterator]()
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        await pause()
        const { value, done } = await lines.next()
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
