import { isUtf8 } from 'node:buffer'
import { explain, type Limits, Refusal, refuse } from '@svc/contract'
import { asNumbers, lookAt, parseExact } from '@svc/contract/exact-json'
import { joinInTurns } from '@svc/runner/archive'
import type { z } from 'zod'
import { depthProblem, notJson, notUtf8, tooManyNumbers } from '../../rpc/body.ts'
import { holdParts } from '../../rpc/hold-parts.ts'
import type { LongBodies, LongBodyCaps } from '../../rpc/long-bodies.ts'
import { readShort } from '../short-body.ts'
import { RouteRefusal } from './answer.ts'

const TOO_LARGE = 413
const WRONG_TYPE = 415
const JSON_TYPE = 'application/json'

/** The media type of a request, without its parameters, in lower case; `''` where it has none. */
export const mediaTypeOf = (request: Request): string =>
  (request.headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase() ?? ''

/** The refusal of a body of another type than the route takes. */
export const wrongType = (request: Request, types: readonly string[]) =>
  new RouteRefusal(
    WRONG_TYPE,
    'invalid_arg',
    `Content-Type must be ${types.join(' or ')}, got ${JSON.stringify(request.headers.get('content-type'))}`,
  )

const tooLarge = (max: number) =>
  new RouteRefusal(TOO_LARGE, 'invalid_arg', `the body must have at most ${max} bytes`, { max })

/** The bytes that a request says its body has; 0 where it says nothing. */
const saidBytes = (request: Request): number => Number(request.headers.get('content-length') ?? 0)

const afterBody = new WeakMap<Request, () => Promise<void>>()

/** Has the sender of a request judged again once its body is there: nobody knows how long that takes. */
export const askAfterBody = (request: Request, ask: () => Promise<void>) => void afterBody.set(request, ask)

/** The body, counted while it is read. Errors: `invalid_arg` (413), and those of `askAfterBody`. */
export async function readBytes(request: Request, maxBytes: number): Promise<Buffer> {
  if (saidBytes(request) > maxBytes) throw tooLarge(maxBytes)
  const chunks: Uint8Array[] = []
  let size = 0
  try {
    for await (const chunk of request.body ?? []) {
      size += chunk.length
      if (size > maxBytes) throw tooLarge(maxBytes)
      chunks.push(chunk)
    }
  } catch (error) {
    // A sender that went away or was cut off is no fault of this host.
    throw error instanceof Refusal ? error : refuse('cancelled', 'the body did not come to its end')
  }
  await afterBody.get(request)?.()
  return joinInTurns(chunks, size)
}

/** A JSON object from the body. Errors: `invalid_arg` (415 for another type, 413 for one too large). */
export async function readJson(
  request: Request,
  limits: Limits,
  maxBytes = limits.ROUTE_BODY_MAX_BYTES,
): Promise<Record<string, unknown>> {
  holdJson(request)
  return parseObject(await readBytes(request, maxBytes), limits)
}

/** What reads a body that may be long. */
export interface LongReading {
  readonly limits: Limits
  readonly longBodies: LongBodies
  readonly userId: string
  /** What it may have: more than a call where its app may run sessions. */
  readonly maxBytes: number
  /** What it may have where it is long, if not what a run may. */
  readonly caps?: LongBodyCaps
}

/**
 * The JSON object of a run, which may have attachments, or of a push: past `RPC_BODY_MAX_BYTES` it is read as long
 * bodies are. Its sender is judged already. Errors: those of `readJson`.
 */
export async function readLongJson(
  request: Request,
  { limits, longBodies, userId, maxBytes, caps }: LongReading,
): Promise<Record<string, unknown>> {
  holdJson(request)
  const said = saidBytes(request)
  if (said > maxBytes) throw tooLarge(maxBytes)
  const short = limits.RPC_BODY_MAX_BYTES
  const body = await readShort(request.body, said > short ? 0 : short)
  if (Buffer.isBuffer(body)) {
    if (body.length > maxBytes) throw tooLarge(maxBytes)
    await afterBody.get(request)?.()
    return parseObject(body, limits)
  }
  if (maxBytes <= short) throw tooLarge(maxBytes)
  const read = await longBodies.read(userId, body, request.signal, caps)
  if ('over' in read) throw tooLarge(read.over)
  await afterBody.get(request)?.()
  return asObject(read.value)
}

function holdJson(request: Request): void {
  if (mediaTypeOf(request) !== JSON_TYPE) throw wrongType(request, [JSON_TYPE])
}

function parseObject(bytes: Buffer, limits: Limits): Record<string, unknown> {
  if (!isUtf8(bytes)) throw notUtf8()
  holdParts(bytes, limits)
  const look = lookAt(bytes, limits.BODY_DEPTH_MAX)
  if (look === 'deep') throw refuse('invalid_arg', depthProblem(limits))
  if (look === 'many') throw tooManyNumbers()
  try {
    const text = bytes.toString('utf8')
    return asObject(look === 'odd' ? asNumbers(parseExact(text), '') : JSON.parse(text))
  } catch (error) {
    throw error instanceof SyntaxError ? notJson() : error
  }
}

function asObject(value: unknown): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw refuse('invalid_arg', 'the body must be a JSON object')
  return value as Record<string, unknown>
}

/** A JSON body of a shape. Errors: `invalid_arg` with the first thing that is wrong. */
export async function readShape<Shape extends z.ZodType>(
  request: Request,
  limits: Limits,
  shape: Shape,
): Promise<z.output<Shape>> {
  const body = await readJson(request, limits)
  const parsed = shape.safeParse(body)
  if (!parsed.success) throw refuse('invalid_arg', explain(parsed.error, body))
  return parsed.data
}
