import { JSONRPC } from '@svc/contract/stdio'
import { SLOW_START } from '@svc/mcp'
import type { Wait } from '../install/installs.ts'
import { type Fields, fieldsOf } from '../lines/fields.ts'
import { textOf } from '../lines/pieces.ts'
import type { Log } from '../port/log.ts'
import { serverOf } from '../port/protocol.ts'
import { type CommandSpec, type DescribeOutcome, type Failure, failure } from '../port/runner.ts'
import { type Answer, hasMessage } from './answer.ts'
import { acquireProblem, askPooled, type CallParts } from './call.ts'
import { cutTools, parseDescription } from './description.ts'
import { NOBODY } from './groups.ts'
import { judge } from './judge.ts'
import type { Worker } from './worker.ts'

/** The most common fault of a plugin that works by hand. */
const FLUSH = 'Flush each line that is written: print(…, flush=True) in Python.'

const ID = 'describe'
const LINE = `{"jsonrpc":"${JSONRPC}","id":"${ID}","method":"describe"}`

/** Who asks, and how long. */
export interface DescribeWish extends Wait {
  readonly userId?: string | undefined
  /** Whether the process ends with its answer. */
  readonly once?: boolean
}

/** Asks a plugin what it is; without a user the process waits for its first call, whoever makes that. */
export async function describe(
  plugin: CommandSpec,
  { userId, once, deadlineMs: untilMs, signal }: DescribeWish,
  desk: CallParts & { readonly log: Log; readonly onBytes?: (bytes: number) => void },
): Promise<DescribeOutcome> {
  const { limits, pool } = desk
  const wish = { userId: userId ?? NOBODY, plugin, deadlineMs: untilMs, signal }
  const isOver = once && { isOver: () => true }
  const question = { id: ID, line: LINE, untilMs, signal, isNoUse: true, ...isOver }
  let asked: Worker | undefined
  const answer = await askPooled(wish, desk, ({ worker }) => {
    asked = worker
    return question
  })
  if (typeof answer === 'string') return acquireProblem(answer, plugin.id)
  if (answer.kind === 'late') return lateFailure(plugin, asked)
  if (answer.kind === 'aborted') return acquireProblem('aborted', plugin.id)
  if (answer.kind === 'ended' && pool.isClosed) return acquireProblem('closed', plugin.id)

  const none = failure('plug_unavailable', `${plugin.id} gave no description.`)
  desk.onBytes?.(bytesOf(answer))
  // The payload of a call is not a description, whatever its size.
  if (answer.kind === 'payload') return none
  const result = hasMessage(answer) && fieldsOf(resultOf(answer))
  if (!result) {
    const outcome = await judge(answer, 0, limits)
    return outcome.ok ? none : (asked?.explain(outcome) ?? outcome)
  }
  const description = parseDescription(result, limits)
  const cut = cutTools(result, limits)
  if (cut.length > 0)
    desk.log.warn(
      { plugin: plugin.id, event: 'description_cut', tools: cut, max: limits.DESCRIPTION_MAX_CHARS },
      'descriptions of tools were cut',
    )
  return typeof description === 'string'
    ? failure('plug_unavailable', `${plugin.id} described itself wrongly: ${description}.`)
    : { ok: true, description }
}

/** What is said of a plugin that said nothing in time: with its last words, and what may help. */
function lateFailure({ id, command }: CommandSpec, asked: Worker | undefined): Failure {
  const stderr = asked?.lastWords() ?? ''
  // An MCP server has no `describe`: behind its adapter it starts, and lists its tools.
  const isMcp = serverOf(command) !== undefined
  const did = isMcp ? 'list its tools' : 'answer describe'
  const plain = failure('plug_unavailable', `${id} did not ${did} in time.`, {
    ...(stderr !== '' && { stderr }),
  })
  const late = asked?.explain(plain) ?? plain
  const hint = isMcp
    ? `The MCP server is slow to start, or waits for a host that it does not reach: ${SLOW_START}.`
    : FLUSH
  return { ...late, details: { hint, ...late.details } }
}

const resultOf = (answer: Extract<Answer, { readonly message: Fields }>): unknown =>
  answer.kind === 'reply' ? answer.message.result : answer.result && JSON.parse(textOf(answer.result.pieces))

/** How long what was read of an answer is. */
const bytesOf = (answer: Answer): number =>
  answer.kind === 'reply' ? answer.line.length : answer.kind === 'long' ? (answer.result?.bytes ?? 0) : 0
