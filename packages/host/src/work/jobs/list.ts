import { INSTANT_RULE, instantOf, type JobState, wrongArg } from '@svc/contract'
import { eachOwned, type WorkOwner } from '../engine/work-owner.ts'
import { currentJob } from './finish.ts'
import { type JobRecord, type JobRow, jobs } from './job-row.ts'
import type { JobParts } from './jobs.ts'

/** Which jobs are wanted. */
export interface JobQuery {
  /** The plugin, by its id or handle, or one of its tools as `tool_id.method`. */
  readonly tool_id?: string | undefined
  /** The state, or several. */
  readonly state?: JobState | readonly JobState[] | undefined
  /** What the app named it by. */
  readonly clientTag?: string | undefined
  /** RFC 3339; further back than `JOB_LOOKBACK_MS` counts as that. */
  readonly since?: string | undefined
  /** The most jobs. */
  readonly limit: number
}

/**
 * Lists jobs; those whose deadline has come are expired first. Large results end a list early, which is then
 * truncated: a hundred of them at once would hold up everybody's calls. Errors: `invalid_arg` (since).
 */
export async function listJobs(
  parts: JobParts,
  owner: WorkOwner,
  query: JobQuery,
): Promise<{ readonly records: readonly JobRecord[]; readonly truncated: boolean }> {
  const { clock, limits, store } = parts
  const { limit } = query
  const oldest = clock.now() - limits.JOB_LOOKBACK_MS
  const from = query.since === undefined ? oldest : Math.max(sinceOf(query.since), oldest)
  const wants = filterOf(query)
  const found: JobRecord[] = []
  let bytes = 0
  const bounds = { from, order: 'desc', limit: limit + 1 } as const
  for await (const record of eachOwned(store, jobs, ['byUser', 'byApp'], owner, bounds)) {
    const now = await currentJob(parts, record)
    if (!now || !wants(now.row)) continue
    bytes += Buffer.byteLength(now.row.result ?? '')
    const isFull = found.length === limit || bytes > limits.JOB_LIST_RESULTS_MAX_BYTES
    if (isFull && found.length > 0) return { records: found, truncated: true }
    found.push(now)
  }
  return { records: found, truncated: false }
}

function sinceOf(text: string): number {
  const time = instantOf(text)
  if (time === null) throw wrongArg('since', `${INSTANT_RULE}, got ${JSON.stringify(text)}`)
  return time
}

function filterOf({ tool_id, state, clientTag }: JobQuery): (row: JobRow) => boolean {
  const states = state === undefined ? null : new Set<JobState>([state].flat())
  return (row) =>
    (tool_id === undefined || namesOf(row).includes(tool_id)) &&
    (states === null || states.has(row.state)) &&
    (clientTag === undefined || row.client_tag === clientTag)
}

/** Every text that calls this tool, or its plugin. */
const namesOf = ({ tool_id, handle, tool }: JobRow): string[] =>
  [tool_id, handle].flatMap((plugin) => [plugin, `${plugin}.${tool}`, `${plugin}__${tool}`])
