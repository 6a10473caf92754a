import { z } from 'zod'
import { method } from '../define.ts'
import { limits } from '../limits.ts'
import { job } from '../states/job.ts'
import { text } from '../text.ts'
import { anyObject, integer } from './rules.ts'

/** One entry of the tool list (spec §2.8, design §9). */
export const toolEntry = z.object({
  tool_id: z.string(),
  plugin_name: z.string(),
  tool_name: z.string(),
  description: z.string(),
  input_schema: anyObject,
  status: z.enum(['available', 'deploying', 'unavailable']),
})

/** One entry of the tool list. */
export type ToolEntry = z.output<typeof toolEntry>

const args = z
  .custom<Record<string, unknown>>(
    (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
    'must be an object',
  )
  .meta({ type: 'object' })

/** What names a tool, and what it is called with. */
const call = {
  tool_id: text(limits.TOOL_ID_MAX_CHARS).min(1),
  method: text(limits.TOOL_ID_MAX_CHARS).optional(),
  args: args.optional(),
  timeoutMs: integer.optional(),
}

const instant = z.iso.datetime({
  offset: true,
  error: 'it must be RFC 3339 with its offset, such as 2026-01-01T00:00:00Z',
})
const jobState = z.enum(job.states)
/** Any text: a job that is not the caller's and one that never was read alike (spec §4.2 tools 6). */
const jobId = z.string()

/** One thing that a plugin told of its job; `seq` counts from 1 and has a hole where old ones were let go. */
export const jobProgress = z.object({ seq: z.number(), type: z.string(), data: z.unknown() })

/** One thing that a plugin told of its job. */
export type JobProgress = z.output<typeof jobProgress>

/** What is known of a job (spec §2.9); times are RFC 3339 in UTC, `deadlineMs` is Unix ms (decision 4). */
export const jobSnapshot = z.object({
  jobId: z.string(),
  tool_id: z.string(),
  /** The tool of the plugin. */
  method: z.string(),
  state: jobState,
  /** Only of a job that succeeded. */
  result: anyObject.optional(),
  /** Only of a job that failed, was cancelled or expired. */
  error: z.object({ code: z.string(), message: z.string(), details: anyObject.optional() }).optional(),
  /** What came after `sinceSeq`, oldest first. */
  progress: z.array(jobProgress),
  /** The seq that was given last; 0 before the first (decision 11). */
  lastSeq: z.number(),
  /** Progress that was too much or too large to be taken (decision 11). */
  progressDropped: z.number(),
  /** The last sign of life of the process; `null` before it runs. */
  lastHeartbeatAt: z.string().nullable(),
  createdAt: z.string(),
  startedAt: z.string().nullable(),
  endedAt: z.string().nullable(),
  clientTag: z.string().nullable(),
  deadlineMs: z.number(),
})

/** What is known of a job. */
export type JobSnapshot = z.output<typeof jobSnapshot>
/** The state of a job. */
export type JobState = JobSnapshot['state']

/** `tools.*` (spec §4.2): admitted when the app declares a plug (decision 32a); each call passes the tool ACL. */
export const tools = {
  list: method({
    doc: 'Lists the tools that this app may call.',
    access: 'plugs',
    args: z.object({}),
    result: z.object({ tools: z.array(toolEntry) }),
  }),
  invoke: method({
    doc: 'Calls a tool and waits for its result. timeoutMs is in ms: at least 1 000, above 90 000 it is lowered.',
    access: 'plugs',
    slow: true,
    args: z.object(call),
    result: anyObject,
  }),
  invokeAsync: method({
    doc: 'Starts a job: a call that may take up to a day. timeoutMs is its deadline in ms, moved into 60 000 to 86 400 000.',
    access: 'plugs',
    args: z.object({ ...call, clientTag: text(limits.CLIENT_TAG_MAX_CHARS).optional() }),
    result: z.object({ jobId: z.string(), state: z.literal('queued'), deadlineMs: z.number() }),
  }),
  getJob: method({
    doc: 'Reads a job and the progress after sinceSeq.',
    access: 'plugs',
    args: z.object({
      jobId,
      sinceSeq: z.int().min(0).default(0),
      limit: z.int().min(1).max(limits.JOB_GET_LIMIT_MAX).default(limits.JOB_GET_LIMIT_MAX),
    }),
    result: jobSnapshot,
  }),
  cancelJob: method({
    doc: 'Cancels a job that has not ended; of one that has, it tells how.',
    access: 'plugs',
    args: z.object({ jobId, reason: text(limits.CANCEL_REASON_MAX_CHARS).optional() }),
    result: z.object({ jobId: z.string(), state: jobState, cancelled: z.boolean() }),
  }),
  listJobs: method({
    doc: 'Lists the jobs of this app and user, newest first, of the last seven days; each with its last progress.',
    access: 'plugs',
    args: z.object({
      tool_id: text(limits.TOOL_ID_MAX_CHARS).optional(),
      state: z.union([jobState, z.array(jobState).min(1).max(job.states.length)]).optional(),
      clientTag: text(limits.CLIENT_TAG_MAX_CHARS).optional(),
      since: instant.optional(),
      limit: z.int().min(1).max(limits.JOB_LIST_LIMIT_MAX).default(limits.JOB_LIST_LIMIT_DEFAULT),
    }),
    result: z.object({ jobs: z.array(jobSnapshot), truncated: z.boolean() }),
  }),
}
