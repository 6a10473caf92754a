import { each } from '@svc/state'
import { frameJournal, type RunRecord, runs } from '../../catalog/run-row.ts'
import { bestEffort } from '../engine/best-effort.ts'
import { ended } from './ending.ts'
import { messages } from './messages.ts'
import type { RunParts } from './parts.ts'
import { forgetRun } from './retention.ts'

/** Forgets frames `STREAM_RETAIN_MS` after their end, and runs `RUN_KEPT_MS` after theirs. */
export async function forgetRuns(parts: RunParts): Promise<void> {
  const { clock, limits, store } = parts
  const limit = limits.CLEAN_RECORDS_MAX
  for await (const record of each(store, runs, 'framesUntil', { to: clock.now(), limit }))
    await bestEffort(parts, 'the frames of a run are forgotten later', () => forgetFrames(parts, record))
  const to = clock.now() - limits.RUN_KEPT_MS
  for await (const { id, revision } of each(store, runs, 'endedAt', { to, limit }))
    await store.remove(runs, id, revision)
}

async function forgetFrames({ bus, store }: RunParts, { id, revision, row }: RunRecord): Promise<void> {
  await bus.journal.drop(frameJournal(row.stream_id))
  await store.swap(runs, id, revision, { ...row, frames_until: null })
}

/** Forgets the runs of a session with their frames, and what was said in it. */
export async function forgetSession(parts: RunParts, uuid: string): Promise<void> {
  const { limits, activeRuns, store } = parts
  const range = { eq: [uuid], limit: limits.CLEAN_RECORDS_MAX }
  for (;;) {
    const { rows } = await store.scan(runs, 'bySession', range)
    for (const record of rows) {
      activeRuns.get(record.id)?.stop(ended)
      await forgetRun(parts, record)
    }
    if (rows.length === 0) break
  }
  for (;;) {
    const { rows } = await store.scan(messages, 'bySession', range)
    for (const { id, revision } of rows) await store.remove(messages, id, revision)
    if (rows.length === 0) return
  }
}
