import { timingSafeEqual } from 'node:crypto'
import { Refusal, refuse, wrongArg } from '@svc/contract/errors'
import type { Limits } from '@svc/contract/limits'
import { isSubcall, JSONRPC, refusalError, type SubcallMethod, subcallRow } from '@svc/contract/stdio'
import type { Clock } from '@svc/node'
import { pause } from '@svc/node'
import { joinInTurns } from '@svc/node/archive'
import { type Fields, fieldsOf, parse } from '../lines/fields.ts'
import { asciiOrUtf8 } from '../lines/line-text.ts'
import type { LongLine } from '../lines/long-line.ts'
import { bytesOf } from '../lines/pieces.ts'
import { type CallOutcome, failure, type SubcallReply, type Subcalls } from '../port/runner.ts'
import { readOwnFile } from '../processes/own-file.ts'
import { type Answer, hasMessage } from './answer.ts'
import { errorLine, isLineId, type RequestHead, refusedLine, refuseRequest } from './plugin-requests.ts'

/** Takes the line that answers a request; `onTaken` is called when the plugin has read it. */
export type Reply = (line: string, onTaken?: () => void) => void

/** What bounds the requests of one call. */
export interface SubcallBounds {
  readonly clock: Clock
  readonly limits: Limits
  /** Unix ms: the deadline of the call. */
  readonly deadlineMs: number
  /** The folder of its process. */
  readonly folder: string
}

/** One request under way. */
interface Open {
  /** Answers with an error, unless it is answered already. */
  end(error: Refusal): void
}

// Made once: a plugin that floods gets them by the thousand.
const nameless = refusalError(wrongArg('id', 'must be a string or a number'))
const strange = refusalError(refuse('invalid_token', 'sampling_token must be that of the current call'))

/**
 * The requests that a plugin makes within one call: those that show its token, `SUBCALLS_PER_CALL` at a
 * time, each within the deadline of the call. One takes its place until the plugin has read the answer. None of them
 * keeps the call from ending.
 */
export function openSubcalls(face: Subcalls, bounds: SubcallBounds) {
  const { clock, limits, deadlineMs } = bounds
  const underWay = new Set<Open>()
  const most = `a call may have ${limits.SUBCALLS_PER_CALL} requests under way`
  const crowded = refusalError(refuse('rate_limited', most))
  let timedOut: string | undefined

  async function serve(request: RequestHead, method: SubcallMethod, params: Fields, reply: Reply) {
    const controller = new AbortController()
    const { channel } = subcallRow(method)
    const ownEndMs = channel === undefined ? Infinity : clock.now() + limits.SUBCALL_TIMEOUT_MS
    let isAnswered = false
    const answer = (line: string) => {
      if (isAnswered) return
      isAnswered = true
      stop()
      reply(line, () => underWay.delete(open))
    }
    const open: Open = {
      end(error) {
        answer(errorLine(request, refusalError(error)))
        controller.abort(error)
      },
    }
    const stop = clock.setTimer(
      () => {
        if (channel === undefined || deadlineMs <= ownEndMs) return open.end(lapsed())
        timedOut = channel
        open.end(tookTooLong(channel, limits))
      },
      Math.max(0, Math.min(deadlineMs, ownEndMs) - clock.now()),
    )
    underWay.add(open)
    answer(answerLine(request, await ask(face, method, params, controller.signal, bounds), limits))
  }

  /** The line that refuses a request whatever it holds; `null`: it depends on that. */
  function refusalOf(head: RequestHead): string | null {
    if (!isSubcall(head.method)) return refuseRequest(head)
    if (!isLineId(head.id)) return errorLine(head, nameless)
    if (clock.now() >= deadlineMs) return errorLine(head, refusalError(lapsed()))
    return underWay.size < limits.SUBCALLS_PER_CALL ? null : errorLine(head, crowded)
  }

  function take(request: RequestHead & { readonly params?: unknown }, reply: Reply): void {
    const refused = refusalOf(request)
    const params = fieldsOf(request.params)
    if (refused !== null || !isSubcall(request.method)) reply(refused ?? refuseRequest(request))
    else if (params && isSame(params.sampling_token, face.samplingToken))
      void serve(request, request.method, params, reply)
    else reply(errorLine(request, strange))
  }

  /** Reads a long request, which has a place meanwhile. */
  async function read(head: RequestHead, pieces: readonly Uint8Array[], reply: Reply): Promise<void> {
    const open: Open = {
      end(error) {
        underWay.delete(open)
        reply(errorLine(head, refusalError(error)))
      },
    }
    underWay.add(open)
    const bytes = await joinInTurns(pieces, bytesOf(pieces))
    const { text } = asciiOrUtf8(bytes)
    await pause()
    if (underWay.delete(open)) take(parse(text) ?? head, reply)
  }

  return {
    /** The channel of a request that ended by its own time. */
    timedOut: () => timedOut,
    /** Takes a request: `reply` gets the one line that answers it. */
    take,
    /**
     * Takes one of `length` bytes: it is parsed, in turns with others, where it is whole, within its caps, not too deep, and
     * has a place.
     */
    takeLong(head: RequestHead, { is, parts, pieces }: LongLine, length: number, reply: Reply): void {
      const { SUBCALL_LINE_MAX_BYTES: max, SUBCALL_VALUES_MAX: most, RESULT_DEPTH_MAX: deepest } = limits
      const refused =
        refusalOf(head) ||
        ((is === 'cut' || length > max) && wrong(head, `have at most ${max} bytes, got ${length}`)) ||
        (is === 'deep' && wrong(head, `nest at most ${deepest} levels deep`)) ||
        (parts > most && wrong(head, `have at most ${most} values and names, got ${parts}`))
      if (refused) reply(refused)
      else void read(head, pieces, reply)
    },
    /** The call is over: what is under way is aborted and answered. Twice is harmless. */
    close(): void {
      for (const open of underWay) open.end(refuse('cancelled', 'the call has ended'))
      underWay.clear()
    },
  }
}

/** See `openSubcalls`. */
export type SubcallGate = ReturnType<typeof openSubcalls>

/**
 * What a call failed of, where it failed of a request that ended by its own time: the plugin answers with that very
 * error, and this side saw it happen. It cannot be made up, and another failure is not hidden by it.
 */
export function failedSubcall(answer: Answer, gate: SubcallGate | undefined): CallOutcome | undefined {
  const channel = gate?.timedOut()
  if (channel === undefined || !hasMessage(answer)) return undefined
  const { data } = fieldsOf(answer.message.error) ?? {}
  if (fieldsOf(data)?.name !== 'subcall_timeout') return undefined
  return failure('subcall_timeout', `The tool failed because its ${channel} took too long.`, {
    subcall: channel,
  })
}

/** Has the host do it. Never rejects. */
async function ask(
  face: Subcalls,
  method: SubcallMethod,
  { sampling_token: _token, ...params }: Fields,
  signal: AbortSignal,
  bounds: SubcallBounds,
): Promise<SubcallReply> {
  try {
    const given = method === 'host/uploadFile' ? await withBytes(params, bounds) : params
    signal.throwIfAborted()
    return await face.onRequest(method, given, signal)
  } catch (error) {
    return { error: refusalError(error instanceof Refusal ? error : refuse('internal_error')) }
  }
}

/** A file that is named by its path, as bytes. */
async function withBytes({ path, ...params }: Fields, { folder, limits }: SubcallBounds): Promise<Fields> {
  if (path === undefined) return params
  if (typeof path !== 'string' || path === '') throw wrongArg('path', 'must be text that is not empty')
  if (params.bytes_b64 !== undefined) throw refuse('invalid_arg', 'a file is given by bytes_b64 or by path')
  const bytes = await readOwnFile(folder, path, limits.UPLOAD_INLINE_MAX_BYTES)
  return { ...params, bytes_b64: bytes.toString('base64') }
}

function answerLine(request: RequestHead, reply: SubcallReply, limits: Limits): string {
  if ('error' in reply) return errorLine(request, reply.error)
  const line = JSON.stringify({ jsonrpc: JSONRPC, id: request.id, result: reply.result ?? null })
  const size = Buffer.byteLength(line)
  const max = limits.SUBCALL_ANSWER_MAX_BYTES
  if (size <= max) return line
  return refusedLine(request, 'result_too_large', `an answer must have at most ${max} bytes, got ${size}`, {
    size,
    max,
    retriable: false,
  })
}

const wrong = (head: RequestHead, rule: string) =>
  refusedLine(head, 'invalid_arg', `a request must ${rule}`, { hint: 'A file may be given by path.' })

const lapsed = () => refuse('tool_timeout', 'the deadline of the call has passed')

const tookTooLong = (channel: string, { SUBCALL_TIMEOUT_MS: ms }: Limits) =>
  refuse('subcall_timeout', `the ${channel} took more than ${ms} ms`, { subcall: channel })

/** How long it takes to compare says nothing of where two tokens differ. */
function isSame(shown: unknown, token: string): boolean {
  if (typeof shown !== 'string') return false
  const [a, b] = [Buffer.from(shown), Buffer.from(token)]
  return a.length === b.length && timingSafeEqual(a, b)
}
