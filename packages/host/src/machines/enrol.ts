import { refuse, wrongArgs } from '@svc/contract'
import { routes } from '@svc/contract/routes'
import { REMOVE, update } from '@svc/state'
import { type Bearer, holds } from './admit.ts'
import type { RunnerParts } from './parts.ts'
import { hashOf, type RunnerRecord, type RunnerRow, runners } from './runner-row.ts'

const { body } = routes['runners.enrol']

/** Enrols a machine. Errors: `invalid_arg`, `quota_exceeded`. */
export async function enrol(
  { clock, limits, newId, store }: RunnerParts,
  userId: string,
  input: unknown,
): Promise<{ readonly runner_id: string; readonly token: string }> {
  const read = body.safeParse(input)
  if (!read.success) throw wrongArgs(read.error, input)
  const token = newId('runnerToken')
  const row: RunnerRow = {
    user_id: userId,
    name: read.data.name,
    token_hash: hashOf(token),
    next_token_hash: null,
    key: null,
    machine: null,
    epoch: 0,
    created_at: clock.now(),
    last_seen_at: null,
  }
  const max = limits.RUNNERS_PER_USER
  const inserted = await store.insert(runners, newId('runner'), row, {
    caps: [{ name: 'runners', index: 'byUser', eq: [userId], max }],
  })
  if (!inserted.ok && 'exists' in inserted) throw new Error('an id was drawn twice')
  if (!inserted.ok)
    throw refuse('quota_exceeded', `a user may enrol ${max} machines`, {
      hint: 'Revoke one that is not used.',
    })
  return { runner_id: inserted.record.id, token }
}

/** The machines of a user, the oldest first. */
export async function enrolled({ limits, store }: RunnerParts, userId: string): Promise<RunnerRecord[]> {
  return (await store.scan(runners, 'byUser', { eq: [userId], limit: limits.RUNNERS_PER_USER })).rows
}

/** Takes a machine away. Errors: `not_found`. */
export async function revoke({ store }: RunnerParts, userId: string, runnerId: string): Promise<void> {
  await update(store, runners, runnerId, (row) => {
    if (row?.user_id !== userId)
      throw refuse('not_found', `there is no runner ${JSON.stringify(runnerId)} of this user`)
    return REMOVE
  })
}

/** The machine that shows a token, its last or its next; `null` where none does, or its user is gone. */
export async function bearerOf({ store, users }: RunnerParts, token: string): Promise<Bearer | null> {
  const tokenHash = hashOf(token)
  for (const index of ['byToken', 'byNextToken'] as const) {
    const { rows } = await store.scan(runners, index, { eq: [tokenHash], limit: 1 })
    const [record] = rows
    if (!record || !holds(record.row, tokenHash)) continue
    const { user_id: userId } = record.row
    return (await users.active(userId)) ? { runnerId: record.id, userId, tokenHash } : null
  }
  return null
}
