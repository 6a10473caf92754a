import { type Limits, type Manifest, type Refusal, refuse } from '@svc/contract'
import { declares } from '../../access/manifest.ts'
import { depthProblem, notJson, notUtf8 } from '../../kernel/body.ts'
import type { Bodies } from '../../kernel/limiter/bodies.ts'
import type { Threads } from '../../kernel/threads/threads.ts'
import { parseInThread } from './parse-in-thread.ts'
import type { Problem } from './parse-worker.ts'
import { openTurns } from './turns.ts'

/** A body that was read: what it holds, or the cap that it is over. */
export type LongBody = { readonly value: unknown; readonly size: number } | { readonly over: number }

/** What one long body may have. */
export interface LongBodyCaps {
  readonly maxBytes: number
  /** Texts, brackets and commas. */
  readonly maxParts: number
  readonly maxTextBytes: number
  readonly maxNameBytes: number
  /** The object whose long texts stay bytes, as far as those have one byte a character; left out: none. */
  readonly inBytes?: string
}

/** What a body of an app may have: more than a call where its manifest enables a submode. */
export const maxBodyBytes = (
  manifest: Manifest,
  limits: Pick<Limits, 'RPC_BODY_MAX_BYTES' | 'RUN_BODY_MAX_BYTES'>,
): number =>
  declares(manifest, 'agent', 'session.run').admitted ? limits.RUN_BODY_MAX_BYTES : limits.RPC_BODY_MAX_BYTES

type Caps = Pick<
  Limits,
  | 'BODY_DEPTH_MAX'
  | 'LONG_BODY_NAME_MAX_BYTES'
  | 'LONG_BODY_PARTS_MAX'
  | 'LONG_BODY_TEXT_MAX_BYTES'
  | 'RPC_BODY_MAX_BYTES'
  | 'RUN_BODY_MAX_BYTES'
>

/** Bytes that are made room for at once. */
const GROW_BYTES = 8_388_608
const RETRY_MS = 1_000

/** Opens the reading of long bodies. */
export function openLongBodies(limits: Caps, threads: Threads, bodies: Pick<Bodies, 'turn' | 'count'>) {
  const turns = openTurns()
  const capsOfRun: LongBodyCaps = {
    maxBytes: limits.RUN_BODY_MAX_BYTES,
    maxParts: limits.LONG_BODY_PARTS_MAX,
    maxTextBytes: limits.LONG_BODY_TEXT_MAX_BYTES,
    maxNameBytes: limits.LONG_BODY_NAME_MAX_BYTES,
  }
  const tooMany = ({ maxParts }: LongBodyCaps) =>
    refuse(
      'invalid_arg',
      `a body over ${limits.RPC_BODY_MAX_BYTES} bytes must have few values and long texts`,
      {
        max: maxParts,
      },
    )
  const problems: { readonly [Name in Exclude<Problem, 'list'>]: (caps: LongBodyCaps) => Refusal } = {
    utf8: notUtf8,
    depth: () => refuse('invalid_arg', depthProblem(limits)),
    parts: tooMany,
    text: ({ maxTextBytes }) =>
      refuse('invalid_arg', `a text in the body must have at most ${maxTextBytes} bytes`),
    name: ({ maxNameBytes }) =>
      refuse('invalid_arg', `the name of a field must have at most ${maxNameBytes} bytes`),
    json: notJson,
  }

  async function readInTurn(
    userId: string,
    body: AsyncIterable<Uint8Array>,
    caps: LongBodyCaps,
  ): Promise<LongBody> {
    const { maxBytes, inBytes, ...others } = caps
    const turn = bodies.turn(userId)
    if (turn && !(await turn)) throw tooManyWait()
    const gathered = await gather(body, maxBytes, (bytes) => bodies.count(userId, bytes))
    if (!gathered) return { over: maxBytes }
    const given = { ...gathered, ...others, maxDepth: limits.BODY_DEPTH_MAX }
    const found = await parseInThread(threads, userId, given, inBytes)
    if ('value' in found) return { value: found.value, size: gathered.size }
    if (found.problem === 'list') return { over: limits.RPC_BODY_MAX_BYTES }
    throw problems[found.problem](caps)
  }

  return {
    /**
     * Reads one body of a user at a time, others wait unread, and parses it in another thread. Who calls it has judged the
     * caller. Errors: `invalid_arg`; `cancelled` where the body never comes to its end.
     */
    async read(
      userId: string,
      body: AsyncIterable<Uint8Array>,
      gone: AbortSignal,
      caps: LongBodyCaps = capsOfRun,
    ) {
      try {
        return await turns.take(userId, gone, () => readInTurn(userId, body, caps))
      } catch (error) {
        throw gone.aborted && error === gone.reason ? cutShort() : error
      }
    },
  }
}

/** Bodies of more than `RPC_BODY_MAX_BYTES`, of which a run with attachments may be one. */
export type LongBodies = ReturnType<typeof openLongBodies>

const tooManyWait = () =>
  refuse('rate_limited', 'too many bodies of this user wait to be read', { retry_after_ms: RETRY_MS })

const cutShort = () => refuse('cancelled', 'the body was cut off before its end')

/** The bytes of a body in one piece, which grows with what comes; `null` when it has more than `max`. */
async function gather(
  body: AsyncIterable<Uint8Array>,
  max: number,
  count: (bytes: number) => void,
): Promise<{ bytes: ArrayBuffer; size: number } | null> {
  const bytes = new ArrayBuffer(0, { maxByteLength: max })
  let size = 0
  try {
    for await (const chunk of body) {
      count(chunk.length)
      const end = size + chunk.length
      if (end > max) return null
      if (end > bytes.byteLength) bytes.resize(Math.min(max, end + GROW_BYTES))
      new Uint8Array(bytes, size).set(chunk)
      size = end
    }
  } catch {
    throw cutShort()
  }
  return { bytes, size }
}
