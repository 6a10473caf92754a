import { isUtf8 } from 'node:buffer'
import { explain, isDeeper, type Limits, refuse } from '@svc/contract'
import type { z } from 'zod'
import { depthProblem, notJson, notUtf8 } from '../../rpc/body.ts'
import type { LongBodies } from '../../rpc/long-bodies.ts'
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

/** The body, counted while it is read. Errors: `invalid_arg` (413). */
export async function readBytes(request: Request, maxBytes: number): Promise<Buffer> {
  if (saidBytes(request) > maxBytes) throw tooLarge(maxBytes)
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of request.body ?? []) {
    size += chunk.length
    if (size > maxBytes) throw tooLarge(maxBytes)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
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

/** What reads the body of a run. */
interface RunReading {
  readonly limits: Limits
  readonly longBodies: LongBodies
  readonly userId: string
  /** What it may have: more than a call where its app may run sessions. */
  readonly maxBytes: number
}

/**
 * The JSON object of a run, which may have attachments: past `RPC_BODY_MAX_BYTES` it is read as long bodies are (design
 * §8). Its sender is judged already. Errors: those of `readJson`.
 */
export async function readRunBody(
  request: Request,
  { limits, longBodies, userId, maxBytes }: RunReading,
): Promise<Record<string, unknown>> {
  holdJson(request)
  const said = saidBytes(request)
  if (said > maxBytes) throw tooLarge(maxBytes)
  const short = limits.RPC_BODY_MAX_BYTES
  const body = await readShort(request.body, said > short ? 0 : short)
  if (Buffer.isBuffer(body)) return parseObject(body, limits)
  if (maxBytes <= short) throw tooLarge(maxBytes)
  const read = await longBodies.read(userId, body, request.signal)
  if ('over' in read) throw tooLarge(read.over)
  return asObject(read.value)
}

function holdJson(request: Request): void {
  if (mediaTypeOf(request) !== JSON_TYPE) throw wrongType(request, [JSON_TYPE])
}

function parseObject(bytes: Buffer, limits: Limits): Record<string, unknown> {
  if (!isUtf8(bytes)) throw notUtf8()
  if (isDeeper(bytes, limits.BODY_DEPTH_MAX)) throw refuse('invalid_arg', depthProblem(limits))
  try {
    return asObject(JSON.parse(bytes.toString('utf8')))
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
