import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { verifies } from '@svc/conformance/verifies'
import { expect, it } from 'vitest'
import { limits } from './index.ts'

const second = 1_000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour
const KB = 1_024
const MiB = 1_024 * 1_024

/** The values that callers were promised, written out once more. */
const are = (values: Partial<Record<keyof typeof limits, number>>) => () => {
  expect(limits).toMatchObject(values)
}

verifies('limits.window_token', 'window token', are({ WINDOW_TOKEN_TTL_MS: 120 * second }))
verifies('limits.session_token', 'session token', are({ SESSION_TOKEN_TTL_MS: 10 * minute }))
verifies(
  'limits.agent_session',
  'agent session',
  are({ AGENT_IDLE_TTL_MS: 30 * minute, AGENT_MAX_LIFETIME_MS: day }),
)
verifies(
  'limits.complete_session',
  'completion session',
  are({ COMPLETE_IDLE_TTL_MS: 15 * minute, COMPLETE_MAX_LIFETIME_MS: hour }),
)
verifies('limits.revoked_retention', 'revoked session', are({ REVOKED_RETENTION_MS: day }))
verifies('limits.stream_buffer', 'stream buffer', are({ STREAM_BUFFER_FRAMES: 256 }))
verifies(
  'limits.sync_timeout',
  'sync timeout',
  are({
    SYNC_TIMEOUT_MIN_MS: second,
    SYNC_TIMEOUT_MAX_MS: 90 * second,
    SYNC_TIMEOUT_DEFAULT_MS: 65 * second,
    SYNC_GRACE_MS: 2 * second,
  }),
)
verifies(
  'limits.client_timeouts',
  'client timeouts',
  are({ CLIENT_TOOLS_TIMEOUT_MS: 70 * second, CLIENT_AGENT_TIMEOUT_MS: 300 * second }),
)
verifies('limits.sync_payload', 'sync payload', are({ SYNC_PAYLOAD_MAX_BYTES: 4 * MiB }))
verifies(
  'limits.async_payload',
  'job payload',
  are({ ASYNC_RESULT_MAX_BYTES: 256 * KB, ASYNC_ARGS_MAX_BYTES: 64 * KB }),
)
verifies(
  'limits.job_deadline',
  'job deadline',
  are({ JOB_DEADLINE_DEFAULT_MS: 30 * minute, JOB_DEADLINE_MIN_MS: 60 * second, JOB_DEADLINE_MAX_MS: day }),
)
verifies('limits.jobs_active', 'active jobs', are({ JOBS_ACTIVE_PER_USER: 5, JOBS_RUNNING_PER_RUNNER: 3 }))
verifies(
  'limits.progress',
  'progress',
  are({ PROGRESS_PER_SECOND: 50, PROGRESS_KEPT: 500, PROGRESS_MAX_BYTES: 8 * KB }),
)
verifies('limits.get_job', 'getJob', are({ JOB_GET_LIMIT_MAX: 500 }))
verifies(
  'limits.list_jobs',
  'listJobs',
  are({ JOB_LIST_LIMIT_MAX: 100, JOB_LIST_LIMIT_DEFAULT: 20, JOB_LOOKBACK_MS: 7 * day }),
)
verifies(
  'limits.tag_and_reason',
  'tag and reason',
  are({ CLIENT_TAG_MAX_CHARS: 120, CANCEL_REASON_MAX_CHARS: 200 }),
)
verifies('limits.cancel_kill', 'cancel', are({ CANCEL_KILL_MS: 500 }))
verifies('limits.title', 'title', are({ TITLE_MAX_CHARS: 120 }))
verifies('limits.window_state', 'window state', are({ WINDOW_STATE_MAX_BYTES: 256 * KB }))
verifies('limits.storage_list', 'storage list', are({ STORAGE_LIST_DEFAULT: 100 }))
verifies('limits.attachments', 'attachments', are({ ATTACHMENTS_PER_RUN: 6, ATTACHMENT_MAX_BYTES: 20 * MiB }))
verifies('limits.system_prompt', 'system prompt', are({ SYSTEM_PROMPT_MAX_CHARS: 32_000 }))
verifies('limits.recursion', 'recursion', are({ RECURSION_LIMIT_DEFAULT: 8 }))
verifies('limits.max_tokens', 'tokens a call', are({ MAX_TOKENS_PER_CALL_DEFAULT: 4_096 }))
verifies('limits.history', 'history', are({ HISTORY_LIMIT_MAX: 200, HISTORY_LIMIT_DEFAULT: 50 }))
verifies('limits.session_list', 'session list', are({ SESSION_LIST_MAX: 100, SESSION_LIST_DEFAULT: 50 }))
verifies('limits.harness_line', 'line of the harness', are({ LINE_MAX_BYTES: 16 * MiB }))
verifies('limits.draft', 'draft', are({ DRAFT_LIFETIME_MS: day }))

/** Further limits and their values, written out once more. */
verifies.each('design.limits.names')([
  ['EXPIRED_KEEP_MS', day],
  ['REAPER_INTERVAL_MS', undefined],
  ['SESSION_CLOSE_GRACE_MS', 30 * second],
  ['WINDOW_STALE_MS', 5 * minute],
  ['WINDOW_SILENT_CLOSE_MS', day],
  ['IN_FLIGHT_PER_WINDOW', 64],
  ['RPC_BODY_MAX_BYTES', 6 * MiB],
  ['RUNNER_QUEUE_MAX', 2],
  ['SUBCALL_TIMEOUT_MS', 30 * second],
  ['DESCRIBE_TIMEOUT_MS', undefined],
  ['JOURNAL_KEPT_EVENTS', 10_000],
  ['STREAM_RETAIN_MS', 5 * minute],
] as const)('%s is there', (name, value) => {
  if (value === undefined) expect(limits[name]).toBeGreaterThan(0)
  else expect(limits[name]).toBe(value)
})

it.each([
  ['RUN_BODY_MAX_BYTES', 170 * MiB],
  ['BODY_DEPTH_MAX', 64],
  ['CALL_ID_MAX_CHARS', 256],
  ['BATCH_MAX_CALLS', 64],
  ['BRIDGE_WAITING_MAX', 256],
  ['HEARTBEAT_INTERVAL_MS', 10 * second],
  ['HELLO_TIMEOUT_MS', 2 * second],
  ['TOKEN_SKEW_MS', 2 * second],
  ['VERIFIED_TOKENS_MAX', 10_000],
  ['POOL_PER_PLUGIN', 4],
  ['POOL_PER_RUNNER', 64],
  ['POOL_IDLE_MS', minute],
  ['EVENT_RETRY_MS', second],
  ['EVENT_COMMENT_MS', 15 * second],
  ['READER_BUFFER_MAX_BYTES', MiB],
  ['READER_STALLED_MS', 30 * second],
  ['STORAGE_LIST_MAX', 1_000],
  ['STORAGE_KEY_MAX_CHARS', 1_024],
  ['STORAGE_TTL_MAX_S', 365 * 24 * 60 * 60],
  ['UPLOAD_URL_TTL_MS', 10 * minute],
  ['UPLOAD_INLINE_MAX_BYTES', 4 * MiB],
  ['UPLOAD_MAX_BYTES', 20 * MiB],
  ['IMAGES_PER_CALL', 4],
  ['SLOW_CONNECTIONS_MAX', 3],
  ['HOST_DEAD_MS', 3 * second],
  ['ARCHIVE_ENTRIES_MAX', 10_000],
  ['ARCHIVE_BYTES_MAX', 256 * MiB],
  ['ARCHIVE_ENTRY_MAX_BYTES', 64 * MiB],
  ['ARCHIVE_DEPTH_MAX', 32],
  ['ARCHIVE_NAME_MAX_BYTES', 255],
  ['ARCHIVE_RATIO_MAX', 100],
] as const)('%s is %i', (name, value) => {
  expect(limits[name]).toBe(value)
})

it('holds whole numbers with their unit in the name', () => {
  for (const [name, value] of Object.entries(limits)) expect(Number.isSafeInteger(value), name).toBe(true)
})

it('has each name in one file: a spread would hide the other number', () => {
  const files = globSync('**/*.ts', { cwd: import.meta.dirname, exclude: ['**/*.test.ts'] })
  const texts = files.map((file) => readFileSync(join(import.meta.dirname, file), 'utf8'))
  const names = texts.flatMap((text) =>
    [...text.matchAll(/^(?: {2}|export const )([A-Z][A-Z_]+)(?::| =)/gm)].map(([, name]) => name),
  )
  expect(names.sort()).toEqual(Object.keys(limits).sort())
})
