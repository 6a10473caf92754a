import { Refusal, refuse } from '@svc/contract'
import { joinInTurns } from '@svc/node/archive'
import type { z } from 'zod'
import { asObject, readObject } from '../../../kernel/body.ts'
import { inShape } from '../../../kernel/in-shape.ts'
import type { BodySlot } from '../../../kernel/limiter/body-slot.ts'
import { readObjectInThread } from '../../../kernel/threads/read-in-thread.ts'
import type { LongBodies, LongBodyCaps } from '../../rpc/long-bodies.ts'
import type { Services } from '../../services.ts'
import { counted, readShort } from '../short-body.ts'
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
const declaredBytes = (request: Request): number => Number(request.headers.get('content-length') ?? 0)

const afterBody = new WeakMap<Request, () => Promise<void>>()

/** Whose a request is, and the slot of its body. */
interface Sender {
  readonly owner: string
  readonly slot: BodySlot | undefined
}

const senders = new WeakMap<Request, Sender>()

/** Stores the sender of a request, so that senders of long bodies take turns. */
export const nameSender = (request: Request, sender: Sender) => void senders.set(request, sender)

const bodyOf = (request: Request) => counted(request, senders.get(request)?.slot)

/** Checks the sender of a request again once its body has arrived, which may take long. */
export const askAfterBody = (request: Request, ask: () => Promise<void>) => void afterBody.set(request, ask)

/** The body, counted while it is read. Errors: `invalid_arg` (413), and those of `askAfterBody`. */
export async function readBytes(request: Request, maxBytes: number): Promise<Buffer> {
  if (declaredBytes(request) > maxBytes) throw tooLarge(maxBytes)
  const chunks: Uint8Array[] = []
  let size = 0
  try {
    for await (const chunk of bodyOf(request)) {
      size += chunk.length
      if (size > maxBytes) throw tooLarge(maxBytes)
      chunks.push(chunk)
    }
  } catch (error) {
    // A sender that went away or was cut off is not a fault of this host.
    throw error instanceof Refusal ? error : refuse('cancelled', 'the body was cut off before its end')
  }
  await afterBody.get(request)?.()
  return joinInTurns(chunks, size)
}

/** A JSON object from the body. Errors: `invalid_arg` (415 for another type, 413 for one too large). */
export async function readJson(
  request: Request,
  services: Parsing,
  maxBytes = services.limits.ROUTE_BODY_MAX_BYTES,
): Promise<Record<string, unknown>> {
  checkJsonType(request)
  return parseObject(request, await readBytes(request, maxBytes), services)
}

/** What parses a body: a long one in another thread. */
type Parsing = Pick<Services, 'limits' | 'threads'>

/** What reads a body that may be long. */
export interface LongReading {
  readonly services: Parsing
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
  { services, longBodies, userId, maxBytes, caps }: LongReading,
): Promise<Record<string, unknown>> {
  checkJsonType(request)
  const said = declaredBytes(request)
  if (said > maxBytes) throw tooLarge(maxBytes)
  const short = services.limits.RPC_BODY_MAX_BYTES
  const body = await readShort(bodyOf(request), said > short ? 0 : short)
  if (Buffer.isBuffer(body)) {
    if (body.length > maxBytes) throw tooLarge(maxBytes)
    await afterBody.get(request)?.()
    return parseObject(request, body, services)
  }
  if (maxBytes <= short) throw tooLarge(maxBytes)
  const read = await longBodies.read(userId, body, request.signal, caps)
  if ('over' in read) throw tooLarge(read.over)
  await afterBody.get(request)?.()
  return asObject(read.value)
}

function checkJsonType(request: Request): void {
  if (mediaTypeOf(request) !== JSON_TYPE) throw wrongType(request, [JSON_TYPE])
}

/** A body that is parsed in another thread has waited for its turn there, so its sender is judged once more. */
async function parseObject(
  request: Request,
  bytes: Buffer,
  { limits, threads }: Parsing,
): Promise<Record<string, unknown>> {
  if (bytes.length <= limits.BODY_APART_BYTES) return readObject(bytes, limits)
  const read = await readObjectInThread(threads, senders.get(request)?.owner ?? '', bytes, limits)
  await afterBody.get(request)?.()
  return read
}

/** A JSON body of a shape. Errors: `invalid_arg` with the first thing that is wrong. */
export async function readShape<Shape extends z.ZodType>(
  request: Request,
  services: Parsing,
  shape: Shape,
): Promise<z.output<Shape>> {
  return inShape(shape, await readJson(request, services))
}
