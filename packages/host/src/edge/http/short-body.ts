import { refuse } from '@svc/contract'
import type { BodySlot } from '../../kernel/limiter/body-slot.ts'

/** What a request's body brings, counted as it comes. Errors: `invalid_arg` where somebody read it before. */
export async function* counted(
  { body, bodyUsed, headers }: Request,
  slot: BodySlot | undefined,
): AsyncGenerator<Uint8Array> {
  let size = 0
  if (!bodyUsed)
    for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array>) {
      slot?.take(chunk.length)
      size += chunk.length
      yield chunk
    }
  if (bodyUsed || (size === 0 && Number(headers.get('content-length')) > 0))
    throw refuse('invalid_arg', 'the body was read before the request came to this host', {
      hint: 'In the server that embeds the host, put the host before body parsers, such as express.json().',
    })
}

/**
 * Reads a body of at most `maxBytes`; of one that has more, what was read and the rest, to continue from. Such a rest
 * is read to its end or left: its reader then reads no more of the body.
 */
export async function readShort(
  body: AsyncIterable<Uint8Array>,
  maxBytes: number,
): Promise<Buffer | AsyncIterable<Uint8Array>> {
  const chunks: Uint8Array[] = []
  let size = 0
  const reader = body[Symbol.asyncIterator]()
  for (let next = await reader.next(); !next.done; next = await reader.next()) {
    chunks.push(next.value)
    size += next.value.length
    if (size > maxBytes) return withRest(chunks, reader)
  }
  return Buffer.concat(chunks)
}

/** What was read of a body, each chunk freed when it is read, then the rest of it. */
export async function* withRest(
  chunks: Uint8Array[],
  rest: AsyncIterator<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  try {
    for (let chunk = chunks.shift(); chunk; chunk = chunks.shift()) yield chunk
    for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value
  } finally {
    await rest.return?.()
  }
}
