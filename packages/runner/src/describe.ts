import { JSONRPC } from '@svc/contract/stdio'
import { askWithin, type Desk, noPlace } from './call.ts'
import { parseDescription } from './description.ts'
import type { Wait } from './install/installs.ts'
import { judge } from './judge.ts'
import { type CommandSpec, type DescribeOutcome, failure } from './link.ts'
import { fieldsOf } from './talk.ts'

const ID = 'describe'
const LINE = `{"jsonrpc":"${JSONRPC}","id":"${ID}","method":"describe"}`

/** Asks a plugin what it is; without a user the process has served its purpose and is ended. */
export async function describe(
  plugin: CommandSpec,
  { userId, deadlineMs: untilMs, signal }: Wait & { readonly userId?: string | undefined },
  desk: Desk,
): Promise<DescribeOutcome> {
  const { limits, pool } = desk
  const place = await pool.acquire({ userId: userId ?? '', plugin, deadlineMs: untilMs, signal })
  if (typeof place === 'string') return noPlace(place, plugin.id)

  const once = userId === undefined
  const answer = await askWithin(place, { id: ID, line: LINE, untilMs, signal, once }, desk)
  if (answer.kind === 'late')
    return failure('plug_unavailable', `${plugin.id} did not answer describe in time.`)
  if (answer.kind === 'aborted') return noPlace('aborted', plugin.id)
  if (answer.kind === 'ended' && pool.isClosed) return noPlace('closed', plugin.id)

  const none = failure('plug_unavailable', `${plugin.id} gave no description.`)
  // The payload of a call is no description, whatever its size.
  if (answer.kind === 'payload') return none
  const result = answer.kind === 'reply' && fieldsOf(answer.message.result)
  if (!result) {
    const outcome = judge(answer, 0, limits)
    return outcome.ok ? none : outcome
  }
  const description = parseDescription(result, limits)
  return typeof description === 'string'
    ? failure('plug_unavailable', `${plugin.id} described itself wrongly: ${description}.`)
    : { ok: true, description }
}
