import { refuse } from '@svc/contract'
import { frameJournal, runs } from '../../catalog/run-row.ts'
import { isEnd } from '../../events/view.ts'
import { ownRun } from './cancel.ts'
import type { RunFrame, RunOwner, RunParts, StreamIds } from './runs.ts'

const noFrames = () => refuse('not_found', 'there is no such run, or its frames are gone')

/** Has a window follow the frames of a run after a seq. Errors: `not_found`. */
export async function attach(
  parts: RunParts,
  owner: RunOwner,
  runId: string,
  afterSeq: number,
  windowUuid: string,
): Promise<StreamIds & { last_seq: number; done: boolean }> {
  const record = await ownRun(parts, owner, runId)
  if (!record || (record.row.stream_closed && record.row.frames_until === null)) throw noFrames()
  const { run_id, stream_id, stream_closed } = record.row
  const { tail } = await parts.bus.journal.read(frameJournal(stream_id), afterSeq, { limit: 0 })
  if (stream_closed && tail === 0) throw noFrames()
  parts.events.follow(owner.userId, windowUuid, stream_id, Math.min(afterSeq, tail))
  return { stream_id, run_id, last_seq: tail, done: stream_closed }
}

/** The frames of a stream after a seq, until the one that is done. Errors: `not_found`, once they are gone. */
export async function* framesOf(
  { bus, store }: Pick<RunParts, 'bus' | 'store'>,
  streamId: string,
  afterSeq: number,
  signal?: AbortSignal,
): AsyncGenerator<RunFrame> {
  const { rows } = await store.scan(runs, 'byStream', { eq: [streamId], limit: 1 })
  const row = rows[0]?.row
  // A journal that is gone reads like one that nobody has written to yet.
  if (!row || (row.stream_closed && row.frames_until === null)) throw noFrames()
  for await (const { items, reset } of bus.journal.follow(frameJournal(streamId), afterSeq, {
    ...(signal && { signal }),
  })) {
    if (reset) throw noFrames()
    for (const { seq, item } of items) {
      const done = isEnd(item)
      yield { seq, payload: item, done }
      if (done) return
    }
  }
}
