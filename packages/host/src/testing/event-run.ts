import { frameJournal, type RunRow, runs } from '../catalog/run-row.ts'
import { type eventBed, windowId } from './event-page.ts'

let runCount = 0

/** A run as its host would write it, into rows and a journal that a test holds. */
export function runOf(bed: ReturnType<typeof eventBed>, changes: Partial<RunRow> = {}) {
  const streamId = changes.stream_id ?? `strm_${(runCount++).toString(36)}`
  const row: RunRow = {
    user_id: 'ann',
    app_id: 'app_1',
    window_uuid: windowId(1),
    session_uuid: 'aps_1',
    run_id: windowId(9),
    stream_id: streamId,
    fingerprint: '',
    model: 'dev',
    state: 'running',
    owner: { host_id: 'hst_1', epoch: 1 },
    created_at: 0,
    turn: 0,
    started_at: 0,
    ended_at: null,
    stream_closed: false,
    frames_until: null,
    error_code: null,
    ...changes,
  }
  const journal = frameJournal(streamId)
  let tail = 0

  async function write(items: readonly object[]) {
    const answer = await bed.bus.journal.append(
      journal,
      tail + 1,
      items.map((item) => JSON.stringify(item)),
    )
    if (!answer.ok) throw new Error(`the journal stands at ${answer.refused}`)
    tail = answer.tail
  }
  const store = () => bed.store.insert(runs, streamId, row)
  async function tell() {
    bed.events.follow(row.user_id, row.window_uuid ?? '', streamId, null)
    await bed.events.flush()
  }
  return {
    streamId,
    get tail() {
      return tail
    },
    store,
    tell,
    /** Stores its row, and tells its window; no run has ended before that is in the journal. */
    async accept() {
      await store()
      await tell()
    },
    /** Writes token frames. */
    speak: (...texts: string[]) => write(texts.map((text) => ({ event: 'sse', text }))),
    /** Writes the last frame, and marks its row. */
    async end() {
      await write([{ event: 'end', run_id: row.run_id }])
      const record = await bed.store.get(runs, streamId)
      if (record) await bed.store.swap(runs, streamId, record.revision, { ...row, stream_closed: true })
    },
  }
}
