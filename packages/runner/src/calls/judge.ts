import { parseKeeping } from '@svc/contract/exact-json'
import type { Limits } from '@svc/contract/limits'
import { type MeantLine, meantSentence, notUtf8 } from '@svc/contract/meant-line'
import { quoted } from '@svc/contract/visible-text'
import type { Exit } from '../isolation/isolators.ts'
import { exactly, type Fields, fieldsOf } from '../lines/fields.ts'
import type { LongJson } from '../lines/long-line.ts'
import type { ReadPayload } from '../lines/payload.ts'
import { readLong } from '../lines/read-long.ts'
import { type CallOutcome, type Failure, failure } from '../port/runner.ts'
import type { Ending } from '../processes/child.ts'
import type { PluginReply } from './answer.ts'

/** How an answer becomes an outcome. */
export async function judge(
  answer: PluginReply,
  maxResultBytes: number,
  limits: Limits,
): Promise<CallOutcome> {
  switch (answer.kind) {
    case 'payload':
      return measure(answer.read, maxResultBytes)
    case 'reply':
      return failureOf(answer.message, limits, answer.stderr) ?? measure(readReply(answer), maxResultBytes)
    case 'long':
      return failureOf(answer.message, limits) ?? judgeLong(answer.output, maxResultBytes)
    case 'too_large':
      return failure(
        'result_too_large',
        `The result must be at most ${maxResultBytes} bytes of JSON, got a line of ${answer.bytes}.`,
        { size: answer.bytes, max: maxResultBytes, retriable: false },
      )
    case 'too_long':
      return lineTooLong(answer.bytes, limits)
    case 'too_deep':
      return failure(
        'plug_unavailable',
        `The plugin's answer is nested deeper than ${limits.RESULT_DEPTH_MAX} levels.`,
      )
    case 'meant':
      return meantFailure(`The plugin ${quoted(answer.plugin)}`, answer.line)
    case 'ended':
      return judgeEnding(answer.ending)
  }
}

type Of<Kind extends PluginReply['kind']> = Extract<PluginReply, { readonly kind: Kind }>

/** What a reply says of a failure. */
function failureOf(message: Fields, limits: Limits, stderr?: string): Failure | undefined {
  if (message.error !== undefined && message.error !== null) return judgeError(message.error, limits, stderr)
  const result = fieldsOf(message.result)
  if (!result) return failure('plug_unavailable', 'The plugin answered without a result object.')
  return result.success === false ? toolFailed(result.error, limits) : undefined
}

function readReply({ message, line }: Of<'reply'>): ReadPayload {
  const payload = fieldsOf(message.result)?.output ?? null
  const json = JSON.stringify(fieldsOf(exactly(message, line).result)?.output ?? null)
  return { payload, json, bytes: Buffer.byteLength(json) }
}

function measure({ payload, json, bytes }: ReadPayload, max: number): CallOutcome {
  if (bytes <= max) return { ok: true, payload, json, bytes }
  // A writer that puts spaces or escapes is judged by the same value written without them.
  const compact = JSON.stringify(parseKeeping(json))
  const size = Buffer.byteLength(compact)
  return size <= max ? { ok: true, payload, json: compact, bytes: size } : tooLarge(size, max)
}

async function judgeLong(output: LongJson | undefined, max: number): Promise<CallOutcome> {
  if (!output) return { ok: true, payload: null, json: 'null', bytes: 'null'.length }
  const read = await readLong(output, max)
  if ('damaged' in read) return meantFailure('The plugin', notUtf8(read.damaged))
  return 'tooLarge' in read ? tooLarge(read.tooLarge, max) : read
}

const tooLarge = (size: number, max: number): Failure =>
  failure('result_too_large', `The result must be at most ${max} bytes of JSON, got ${size}.`, {
    size,
    max,
    retriable: false,
  })

/** A line, either way, that is over the cap of the wire. */
export function lineTooLong(bytes: number, limits: Limits): Failure {
  const max = limits.LINE_MAX_BYTES
  return failure('frame_too_large', `A line must be at most ${max} bytes, got ${bytes}.`, {
    frame_bytes: bytes,
    max_frame_bytes: max,
  })
}

const meantFailure = (writer: string, line: MeantLine): Failure =>
  failure('plug_error', meantSentence(writer, line), { hint: line.hint })

/** What a plugin returns for a call that it refuses: no such tool, or a wrong argument. */
const INVALID_PARAMS = -32_602
/** The caller may be wrong, or the plugin: only the message tells. */
export const WRONG_ARGS =
  'If the message is about an argument, correct the arguments of the call; if not, correct the plugin.'

/** A plugin's own message is passed on up to a length; its log has the rest. */
function judgeError(error: unknown, limits: Limits, stderr = ''): Failure {
  const fields = fieldsOf(error) ?? { message: error }
  const message =
    typeof fields.message === 'string' ? fields.message.slice(0, limits.ERROR_MESSAGE_MAX_CHARS) : undefined
  const code = typeof fields.code === 'number' ? fields.code : undefined
  return failure('plug_error', `The plugin answered with an error${message ? `: ${message}` : '.'}`, {
    ...(code !== undefined && { code }),
    ...(message !== undefined && { message }),
    ...(code === INVALID_PARAMS && { hint: WRONG_ARGS }),
    ...(stderr !== '' && { stderr }),
  })
}

function toolFailed(error: unknown, limits: Limits): Failure {
  const kept = keptError(error, limits)
  const words = typeof kept === 'string' ? kept : fieldsOf(kept)?.message
  return failure(
    'tool_failed',
    `The tool reported a failure${typeof words === 'string' && words ? `: ${words}` : '.'}`,
    { error: kept },
  )
}

/** A short error as it is, a long one as the beginning of its text. */
function keptError(error: unknown, limits: Limits): unknown {
  if (typeof error === 'string') return error.slice(0, limits.ERROR_MESSAGE_MAX_CHARS)
  const text = JSON.stringify(error ?? null)
  return text.length <= limits.ERROR_MESSAGE_MAX_CHARS
    ? (error ?? null)
    : text.slice(0, limits.ERROR_MESSAGE_MAX_CHARS)
}

function judgeEnding({ exitCode, signal, signalGuessed, problem, stderr }: Ending): Failure {
  const said = stderr !== undefined && { stderr }
  if (problem)
    return failure('plug_unavailable', `The plugin is not available: ${problem}.`, said || undefined)
  return failure('plug_error', `The plugin ended ${howEnded({ exitCode, signal })} before it answered.`, {
    exit_code: exitCode,
    signal,
    ...(signalGuessed && { signal_guessed: true }),
    ...said,
  })
}

function howEnded({ exitCode, signal }: Exit): string {
  if (exitCode === null) return `by signal ${signal}`
  return `with exit code ${exitCode}${signal ? `, as after signal ${signal},` : ''}`
}
