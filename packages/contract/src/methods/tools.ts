import { limits } from '../limits/index.ts'
import { job } from '../states/job.ts'
import { INSTANT_RULE, instantOf } from '../values/instant.ts'
import { isObject } from '../values/is-object.ts'
import { text } from '../values/text.ts'
import * as z from '../values/zod.ts'
import { method } from './define.ts'
import { anyObject, integer } from './rules.ts'

/** The name of a tool, which `svc types` knows of those that an app declares. */
export const toolName = z.string().describe('Its own name in the plugin: the `method` of a call.')

/** One entry of the tool list. */
export const toolEntry = z
  .object({
    tool_id: z.string().describe('What `invoke` takes to call it.'),
    plugin_name: z.string().describe('The name of its plugin.'),
    tool_name: toolName,
    description: z.string().describe('What it does, as its plugin says.'),
    input_schema: anyObject.describe('The JSON Schema of its arguments.'),
    output_schema: anyObject
      .optional()
      .describe('The JSON Schema of what its plugin returns; only where the plugin gives one.'),
    status: z
      .enum(['available', 'deploying', 'unavailable'])
      .describe(
        '`deploying`: its plugin is being installed or asked what it offers; try again a little later.',
      ),
    reason: z
      .string()
      .optional()
      .describe(
        'Only where its user has not agreed to its plugin, or where what is stored of it is wrong: that, in a sentence.',
      ),
  })
  .describe('One tool that an app may call.')

const args = z.custom<Record<string, unknown>>(isObject, 'must be an object').meta({ type: 'object' })

/** What names a tool, and what it is called with. */
const call = {
  tool_id: text(limits.TOOL_ID_MAX_CHARS)
    .min(1)
    .describe('The id or handle of a plugin, or that and the tool in one: `csv-stats.describe`.'),
  method: text(limits.TOOL_ID_MAX_CHARS)
    .optional()
    .describe('The tool of the plugin. Left out: the one that tool_id names.'),
  args: args.optional().describe('The arguments of the tool, as its input_schema has them.'),
}

const instant = z
  .string()
  .refine((value) => instantOf(value) !== null, INSTANT_RULE)
  .meta({ format: 'date-time' })
/** The state of a job. */
export const jobState = z.enum(job.states).describe('The state of a job.')
/** Any text: a job that is not the caller's and one that never was read alike. */
const jobId = z.string().describe('The id of the job.')

/** One progress message of a job. */
export const jobProgress = z
  .object({
    seq: z.number().describe('Counts from 1; numbers are missing where old messages were dropped.'),
    type: z.string().describe('The type that the plugin gave it.'),
    data: z.unknown().describe('What the plugin sent with it.'),
  })
  .describe('One progress message of a job.')

/** What is known of a job; times are RFC 3339 in UTC, `deadlineMs` is Unix ms. */
export const jobSnapshot = z
  .object({
    jobId: z.string().describe('The id of the job.'),
    tool_id: z.string().describe('The tool_id that it was started with.'),
    method: z.string().describe('The tool of the plugin.'),
    state: jobState,
    result: anyObject.optional().describe('Only of a job that succeeded.'),
    error: z
      .object({
        code: z.string().describe('The code to branch on.'),
        message: z.string().describe('What went wrong.'),
        details: anyObject.optional().describe('More about it.'),
      })
      .optional()
      .describe('Only of a job that failed, was cancelled or expired.'),
    progress: z.array(jobProgress).describe('What came after `sinceSeq`, oldest first.'),
    lastSeq: z.number().describe('The newest `seq`; 0 before the first progress.'),
    progressDropped: z.number().describe('How many progress messages were too many or too large to be kept.'),
    lastHeartbeatAt: z
      .string()
      .nullable()
      .describe('When its process was last known to be alive, RFC 3339 in UTC; `null` before it runs.'),
    createdAt: z.string().describe('When it was accepted, RFC 3339 in UTC.'),
    startedAt: z.string().nullable().describe('When it began to run, RFC 3339 in UTC; `null` before.'),
    endedAt: z.string().nullable().describe('When it ended, RFC 3339 in UTC; `null` before.'),
    clientTag: z.string().nullable().describe('The tag that it was started with.'),
    deadlineMs: z.number().describe('When it expires, in Unix ms.'),
  })
  .describe('What is known of a job.')

/** `tools.*`: admitted when the app declares a plug; each call passes the tool ACL. */
export const tools = {
  list: method({
    doc: 'Lists the tools that this app may call.',
    access: 'plugs',
    args: () => z.object({}),
    result: () => z.object({ tools: z.array(toolEntry).describe('The tools, each with its status.') }),
    example: 'const { tools } = await svc.tools.list()',
  }),
  invoke: method({
    doc: 'Calls a tool, waits for its result and returns it: `invoke<Report>(…)` gives the result that type. For a call that may take longer than 90 s there is `invokeAsyncAwait`.',
    access: 'plugs',
    slow: true,
    verbatim: ['args'],
    typed: true,
    namesTool: true,
    args: () =>
      z.object({
        ...call,
        timeoutMs: integer
          .optional()
          .describe('How long the tool may take, in ms: at least 1 000, lowered to 90 000.'),
      }),
    result: anyObject,
    errors: [
      'agent_unavailable',
      'plug_unavailable',
      'plug_error',
      'tool_failed',
      'tool_timeout',
      'result_too_large',
      'rate_limited',
      'cancelled',
    ] as const,
    example:
      "const report = await svc.tools.invoke<{ rows: number }>({\n  tool_id: 'csv-stats.describe',\n  args: { csv: 'a,b\\n1,2' },\n})",
  }),
  invokeAsync: method({
    doc: 'Starts a job, which may take up to a day, and returns its id. `invokeAsyncAwait` also waits for its result.',
    access: 'plugs',
    verbatim: ['args'],
    namesTool: true,
    args: () =>
      z.object({
        ...call,
        timeoutMs: integer
          .optional()
          .describe('The time until the job expires, in ms, moved into 60 000 to 86 400 000.'),
        clientTag: text(limits.CLIENT_TAG_MAX_CHARS)
          .optional()
          .describe('A text of the app by which `listJobs` finds the job again.'),
      }),
    result: () =>
      z.object({
        jobId: z.string().describe('The id of the job.'),
        state: z.literal('queued').describe('The job waits to be run.'),
        deadlineMs: z.number().describe('When it expires, in Unix ms.'),
      }),
    errors: ['agent_unavailable', 'plug_unavailable', 'job_quota_exceeded', 'long_job_capacity'],
    example:
      "const { jobId } = await svc.tools.invokeAsync({ tool_id: 'index.build', args: { folder: '/data' } })\nconst result = await svc.tools.job(jobId).result()",
  }),
  getJob: method({
    doc: 'Reads a job and its progress.',
    access: 'plugs',
    args: () =>
      z.object({
        jobId,
        sinceSeq: z.int().min(0).default(0).describe('The last progress that is known already.'),
        limit: z
          .int()
          .min(1)
          .max(limits.JOB_GET_LIMIT_MAX)
          .default(limits.JOB_GET_LIMIT_MAX)
          .describe('The most progress messages to return.'),
      }),
    result: jobSnapshot,
    errors: ['job_not_found'],
    example: 'const { state, progress } = await svc.tools.getJob({ jobId })',
  }),
  cancelJob: method({
    doc: 'Cancels a job. One that has ended stays as it is, and the result says how it ended.',
    access: 'plugs',
    args: () =>
      z.object({
        jobId,
        reason: text(limits.CANCEL_REASON_MAX_CHARS)
          .optional()
          .describe('Why, for whoever reads the job later.'),
      }),
    result: () =>
      z.object({
        jobId: z.string().describe('The id of the job.'),
        state: jobState,
        cancelled: z.boolean().describe('Whether this call cancelled it.'),
      }),
    errors: ['job_not_found'],
    example: "const { cancelled } = await svc.tools.cancelJob({ jobId, reason: 'not needed any more' })",
  }),
  listJobs: method({
    doc: 'Lists the jobs of this app and user of the last seven days, newest first, each with its last progress.',
    access: 'plugs',
    args: () =>
      z.object({
        tool_id: text(limits.TOOL_ID_MAX_CHARS)
          .optional()
          .describe('Only jobs that were started with this tool_id.'),
        state: z
          .union([jobState, z.array(jobState).min(1).max(job.states.length)])
          .optional()
          .describe('Only jobs in this state, or in one of these.'),
        clientTag: text(limits.CLIENT_TAG_MAX_CHARS).optional().describe('Only jobs with this tag.'),
        since: instant.optional().describe('Only jobs that were accepted at this time or later, RFC 3339.'),
        limit: z
          .int()
          .min(1)
          .max(limits.JOB_LIST_LIMIT_MAX)
          .default(limits.JOB_LIST_LIMIT_DEFAULT)
          .describe('The most jobs to return.'),
      }),
    result: () =>
      z.object({
        jobs: z.array(jobSnapshot).describe('The jobs, newest first.'),
        truncated: z.boolean().describe('Whether there are more than `limit`.'),
      }),
    example: "const { jobs } = await svc.tools.listJobs({ state: ['queued', 'running'] })",
  }),
}
