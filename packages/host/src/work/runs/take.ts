import { Refusal, refuse } from '@svc/contract'
import type { Cap } from '@svc/state'
import { type RunRecord, type RunRow, runs } from '../../catalog/run-row.ts'
import { loggedRefusal } from '../../kernel/refusal-of.ts'
import { checkImages } from './attachments.ts'
import { frameText } from './chunks.ts'
import { cancelled, failedBy } from './ending.ts'
import { type HeldRun, openHeldRun } from './held-run.ts'
import { processRun } from './life.ts'
import type { Order } from './order.ts'
import { openRunBudget } from './run-budget.ts'
import type { RunCaller, RunParts, StreamIds } from './runs.ts'

/** What a run may need, and which caps hold for it. */
export interface Allowance {
  /** The most tokens that its first step may take. */
  readonly tokens: number
  readonly caps: readonly (Cap<Extract<keyof typeof runs.indexes, string>> & { readonly name: string })[]
}

const QUEUED = frameText({ event: 'queued' })

/**
 * Takes a run on: its quota is charged, its row inserted under the caps, and it waits for its turn. What is refused
 * leaves no row, and gives back what was charged. Errors: `APP_QUOTA_EXCEEDED`, for a stream `quota_exceeded`.
 */
export async function take(
  parts: RunParts,
  id: string,
  order: Order,
  { tokens, caps }: Allowance,
): Promise<StreamIds> {
  const { events, activeRuns, store } = parts
  const { caller, session } = order
  const { userId, appId, install } = caller
  const owner = await parts.activeRuns.me()
  const budget = await openRunBudget(parts, {
    userId,
    appId,
    tokens,
    counted: session ? 'runs' : 'completions',
    appCalls: install.grants.quota_caps?.max_runs_per_day,
  })
  const row = rowOf(parts, order, owner)
  const held = openHeldRun(parts, id, row, { order, budget })
  try {
    checkImages(parts, order)
    // Held before it is there: a cancel that finds the row finds who does it.
    activeRuns.hold(held)
  } catch (error) {
    await release(parts, held)
    throw error
  }
  const inserted = await store.insert(runs, id, row, { caps }).catch(async (error: unknown) => {
    // The row may be written all the same: the sweep finds a run that no host runs.
    await release(parts, held)
    throw error
  })
  if (!inserted.ok) {
    await release(parts, held)
    if ('exists' in inserted) return sameAnswer(parts, caller, inserted.exists, order.fingerprint)
    throw tooMany(order, inserted.full, caps)
  }
  held.frameWriter.write(QUEUED)
  if (caller.windowUuid !== null) events.follow(userId, caller.windowUuid, row.stream_id, null)
  const counted = await count(parts, held)
  activeRuns.follow(held, processRun(parts, held, inserted.record))
  if (counted instanceof Refusal) throw counted
  return { stream_id: row.stream_id, run_id: row.run_id }
}

function rowOf({ clock, newId, nextTurn }: RunParts, order: Order, owner: RunRow['owner']): RunRow {
  const { caller, session, runId, fingerprint, model } = order
  return {
    user_id: caller.userId,
    app_id: caller.appId,
    window_uuid: caller.windowUuid,
    session_uuid: session?.id ?? null,
    run_id: runId,
    stream_id: newId('stream'),
    fingerprint,
    model: model.model.modelId,
    state: 'queued',
    owner,
    created_at: clock.now(),
    turn: nextTurn(),
    started_at: null,
    ended_at: null,
    stream_closed: false,
    frames_until: null,
    error_code: null,
  }
}

async function release({ activeRuns }: RunParts, held: HeldRun): Promise<void> {
  activeRuns.release(held)
  held.frameWriter.close()
  await held.budget.close()
}

/**
 * Counts the run in its session, which slides. Where that ended meanwhile, or another run was faster to the last
 * place of its day, the run ends by frames, for an equal call elsewhere may have its answer already.
 */
async function count({ log, sessions }: RunParts, held: HeldRun): Promise<Refusal | null> {
  const { session, caller } = held.order
  if (!session) return null
  try {
    if (await sessions.slide(session.id, { countRun: true })) return null
    held.stop(cancelled)
    await sessions.active({ userId: caller.userId, appId: caller.appId }, session.id)
    return null
  } catch (error) {
    held.stop(failedBy(error))
    return loggedRefusal(log, error, 'a run could not be counted', { run: held.row.run_id })
  }
}

function tooMany({ session }: Order, full: string, caps: Allowance['caps']): Refusal {
  const max = caps.find(({ name }) => name === full)?.max
  return refuse(
    session ? 'APP_QUOTA_EXCEEDED' : 'quota_exceeded',
    `${full} is ${max}: so many are waiting or running`,
    {
      quota: 'max_concurrent_runs',
      max,
      hint: 'Wait until one has ended, or cancel one.',
    },
  )
}

/** The answer of a run that is known, for the same arguments again. Errors: `invalid_arg`. */
export function sameAnswer(
  { events }: Pick<RunParts, 'events'>,
  { userId, windowUuid }: RunCaller,
  { row }: RunRecord,
  fingerprint: string,
): StreamIds {
  const { run_id, stream_id } = row
  if (row.fingerprint !== fingerprint)
    throw refuse('invalid_arg', `run_id ${run_id} belongs to a run with other arguments`, {
      hint: 'Send the arguments of the first call again, or leave run_id out for a new run.',
    })
  // The window that it was accepted for follows it already.
  if (windowUuid !== null && windowUuid !== row.window_uuid)
    events.follow(userId, windowUuid, stream_id, null)
  return { stream_id, run_id }
}
