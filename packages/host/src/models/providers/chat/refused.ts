import type { IncomingMessage } from 'node:http'
import { APICallError } from '@ai-sdk/provider'
import { excerpt } from '../excerpt.ts'
import { parsed } from '../members.ts'
import { serverErrorIn } from '../server-error.ts'
import { bytesOf } from './byte-reader.ts'
import type { ChatRequest } from './chat-request.ts'
import { decoded } from './decoded.ts'

/** What is read of a refusal, and how long it is waited for. */
const REFUSAL_MAX_BYTES = 65_536
const REFUSAL_MS = 2_000

/** Who was asked, and what the log may have no piece of. */
type Asked = Pick<ChatRequest, 'url' | 'secrets'>

/** Reads what a server says of a request that it refuses. Never rejects: what came of it has to do. */
export async function readRefusal(
  asked: Asked & Pick<ChatRequest, 'clock'>,
  response: IncomingMessage,
): Promise<APICallError> {
  const { clock } = asked
  const until = clock.now() + REFUSAL_MS
  const cap = { max: REFUSAL_MAX_BYTES, error: () => new Error('the refusal is too long') }
  const reader = bytesOf(decoded(response), cap, clock)
  const pieces: Uint8Array[] = []
  const next = () => reader.read(Math.max(0, until - clock.now())).catch(() => null)
  for (let piece = await next(); piece !== null; piece = await next()) pieces.push(piece)
  reader.cancel()
  const headers = Object.entries(response.headers).map(([name, value]) => [name, String(value)])
  return refusalError(asked, Buffer.concat(pieces).toString(), {
    statusCode: response.statusCode ?? 0,
    responseHeaders: Object.fromEntries(headers),
  })
}

/**
 * The error of a refusal as the AI SDK has it, and what the log may have of its words. Without `head` it came inside
 * of an answer.
 */
export function refusalError(
  { url, secrets }: Asked,
  responseBody: string,
  head?: { readonly statusCode: number; readonly responseHeaders: Record<string, string> },
): APICallError {
  const told = serverErrorIn(parsed(responseBody), !head)
  const isPage = /^\s*<[!?a-z]/i.test(responseBody)
  const said = excerpt(told?.words || (isPage ? '' : responseBody), secrets)
  return new APICallError({
    message: 'the server of the model refused a request',
    url: url.href,
    requestBodyValues: {},
    statusCode: head?.statusCode ?? told?.status ?? 500,
    ...(head && { responseHeaders: head.responseHeaders }),
    responseBody,
    data: { said, isInside: !head },
  })
}
