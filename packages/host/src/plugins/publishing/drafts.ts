import { refuse } from '@svc/contract'
import { reservation } from '@svc/contract/states'
import { each, eachSettled } from '@svc/state'
import {
  type PlugRecord,
  type ReservationRecord,
  type ReservationRow,
  reservations,
} from '../../catalog/plug-row.ts'
import { isoOf } from '../../kernel/iso.ts'
import { insertWithRoom } from '../../kernel/room.ts'
import { showAs } from './edit.ts'
import { makePlug } from './make-plug.ts'
import type { CommitBody, CreateBody, MintBody } from './plug-input.ts'
import type { MintedDraft, PublishingParts } from './publishing.ts'
import { mintToolId } from './tool-id.ts'

/** Reserves a `tool_id`. Errors: `quota_exceeded`. */
export async function mintDraft(
  parts: PublishingParts,
  userId: string,
  body: MintBody,
): Promise<MintedDraft> {
  const { clock, limits, newId, store } = parts
  const now = clock.now()
  const expires_at = now + limits.DRAFT_LIFETIME_MS
  const row: ReservationRow = {
    tool_id: mintToolId(newId, userId, body),
    owner: userId,
    name: body.name,
    type: body.type,
    state: 'reserved',
    created_at: now,
    expires_at,
    due_at: expires_at,
  }
  const max = limits.DRAFTS_PER_USER
  const reserve = () =>
    insertWithRoom(store, reservations, newId('draft'), row, {
      caps: [{ name: 'drafts', index: 'waiting', eq: [userId], max }],
      room: {
        cap: { index: 'byOwner', eq: [userId], max: max + limits.DRAFTS_ENDED_PER_USER },
        oldest: 'endedByOwner',
        forget: ({ id, revision }) => store.remove(reservations, id, revision),
      },
    })
  let reserved = await reserve()
  // Only what has not expired counts, even where the sweeper is late.
  if (!reserved.ok && (await expireOf(parts, userId))) reserved = await reserve()
  if (!reserved.ok)
    throw refuse('quota_exceeded', `at most ${max} drafts of a user may wait for their commit`, {
      hint: 'Commit one, or wait until one expires.',
    })
  return { draft_id: reserved.record.id, tool_id: row.tool_id, expires_at: isoOf(expires_at) }
}

/** Moves a draft on where the table allows it, and sets when it is forgotten. A lost swap was somebody's same move. */
async function move(
  { limits, store }: PublishingParts,
  { id, revision, row }: ReservationRecord,
  event: 'commit' | 'expire',
): Promise<void> {
  const state = reservation.next(row.state, event)
  const due_at = row.expires_at + limits.DRAFT_KEPT_MS
  if (state) await store.swap(reservations, id, revision, { ...row, state, due_at })
}

/** Lets the drafts of a user expire whose time is over; says whether there were any. */
async function expireOf(parts: PublishingParts, userId: string): Promise<boolean> {
  const { clock, limits, store } = parts
  const over = { eq: [userId], to: clock.now(), limit: limits.DRAFTS_PER_USER }
  const page = await store.scan(reservations, 'waiting', over)
  for (const draft of page.rows) await move(parts, draft, 'expire')
  return page.rows.length > 0
}

/**
 * Commits a draft: one becomes one plugin, before its time is over. The insert of the plugin decides; the
 * draft follows it. Errors: `not_found`, `conflict`, `draft_expired`, and those of what it brings.
 */
export async function commitDraft(
  parts: PublishingParts,
  userId: string,
  draftId: string,
  body: CommitBody,
  signal: AbortSignal | undefined,
): Promise<PlugRecord> {
  const draft = await parts.store.get(reservations, draftId)
  if (draft?.row.owner !== userId)
    throw refuse('not_found', `there is no draft ${JSON.stringify(draftId)} of this user`)
  const { state, expires_at } = draft.row
  if (state === 'committed') throw refuse('conflict', 'this draft is committed already')
  if (state === 'expired' || parts.clock.now() >= expires_at)
    throw refuse('draft_expired', `the draft expired at ${isoOf(expires_at)}`, {
      hint: 'Create another draft; the tool_id of this one is not used again.',
    })
  const made = await makePlug(parts, draft.row, body, signal)
  await move(parts, draft, 'commit')
  return showAs(parts, made, body.visibility)
}

/** Mints and commits in one step; a `tool_id` of the caller's is dropped. Errors: those of a commit. */
export async function createPlug(
  parts: PublishingParts,
  userId: string,
  body: CreateBody,
  signal: AbortSignal | undefined,
): Promise<PlugRecord> {
  const { name, type } = body
  const minted = { tool_id: mintToolId(parts.newId, userId, body), owner: userId, name, type }
  const made = await makePlug(parts, minted, body, signal)
  return showAs(parts, made, body.visibility)
}

/** Lets drafts expire whose time is over, and forgets those that ended long ago. */
export async function sweepDrafts(parts: PublishingParts): Promise<void> {
  const { clock, limits, store } = parts
  const to = clock.now()
  await eachSettled(each(store, reservations, 'dueAt', { to, limit: limits.CLEAN_RECORDS_MAX }), (draft) =>
    draft.row.state === 'reserved'
      ? move(parts, draft, 'expire')
      : store.remove(reservations, draft.id, draft.revision),
  )
}
