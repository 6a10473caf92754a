import { isUtf8 } from 'node:buffer'
import { explain, isDeeper, type Limits, refuse } from '@svc/contract'
import type { z } from 'zod'
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

/** The body, counted while it is read. Errors: `invalid_arg` (413). */
export async function readBytes(request: Request, maxBytes: number): Promise<Buffer> {
  const tooLarge = () =>
    new RouteRefusal(TOO_LARGE, 'invalid_arg', `the body must have at most ${maxBytes} bytes`, {
      max: maxBytes,
    })
  if (Number(request.headers.get('content-length') ?? 0) > maxBytes) throw tooLarge()
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of request.body ?? []) {
    size += chunk.length
    if (size > maxBytes) throw tooLarge()
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
  if (mediaTypeOf(request) !== JSON_TYPE) throw wrongType(request, [JSON_TYPE])
  const bytes = await readBytes(request, maxBytes)
  if (!isUtf8(bytes)) throw refuse('invalid_arg', 'the body must be UTF-8')
  if (isDeeper(bytes, limits.BODY_DEPTH_MAX))
    throw refuse('invalid_arg', `the body must nest at most ${limits.BODY_DEPTH_MAX} levels deep`)
  const value = parse(bytes.toString('utf8'))
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw refuse('invalid_arg', 'the body must be a JSON object')
  return value as Record<string, unknown>
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw refuse('invalid_arg', 'the body must be JSON')
  }
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
