import { JSONRPC } from '@svc/contract/stdio'
import type { Wait } from '../install/installs.ts'
import { type Fields, fieldsOf } from '../lines/fields.ts'
import { textOf } from '../lines/pieces.ts'
import { type CommandSpec, type DescribeOutcome, failure } from '../port/runner.ts'
import { acquireProblem, askPooled, type CallParts } from './call.ts'
import { parseDescription } from './description.ts'
import { judge } from './judge.ts'
import { type Answer, hasMessage } from './talk.ts'

/** The most common fault of a plugin that works by hand. */
const FLUSH = 'Flush each line that is written: print(…, flush=True) in Python.'

const ID = 'describe'
const LINE = `{"jsonrpc":"${JSONRPC}","id":"${ID}","method":"describe"}`

/** Asks a plugin what it is; without a user the process has served its purpose and is ended. */
export async function describe(
  plugin: CommandSpec,
  { userId, deadlineMs: untilMs, signal }: Wait & { readonly userId?: string | undefined },
  desk: CallParts,
): Promise<DescribeOutcome> {
  const { limits, pool } = desk
  const wish = { userId: userId ?? '', plugin, deadlineMs: untilMs, signal }
  const question = { id: ID, line: LINE, untilMs, signal, once: userId === undefined }
  const answer = await askPooled(wish, desk, () => question)
  if (typeof answer === 'string') return acquireProblem(answer, plugin.id)
  if (answer.kind === 'late')
    return failure('plug_unavailable', `${plugin.id} did not answer describe in time.`, { hint: FLUSH })
  if (answer.kind === 'aborted') return acquireProblem('aborted', plugin.id)
  if (answer.kind === 'ended' && pool.isClosed) return acquireProblem('closed', plugin.id)

  const none = failure('plug_unavailable', `${plugin.id} gave no description.`)
  // The payload of a call is not a description, whatever its size.
  if (answer.kind === 'payload') return none
  const result = hasMessage(answer) && fieldsOf(resultOf(answer))
  if (!result) {
    const outcome = await judge(answer, 0, limits)
    return outcome.ok ? none : outcome
  }
  const description = parseDescription(result, limits)
  return typeof description === 'string'
    ? failure('plug_unavailable', `${plugin.id} described itself wrongly: ${description}.`)
    : { ok: true, description }
}

const resultOf = (answer: Extract<Answer, { readonly message: Fields }>): unknown =>
  answer.kind === 'reply' ? answer.message.result : answer.result && JSON.parse(textOf(answer.result.pieces))
