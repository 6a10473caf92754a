import { z } from 'zod'
import { method } from '../define.ts'
import { limits } from '../limits.ts'
import { imageTypes } from '../media-types.ts'
import { text } from '../text.ts'
import { modelPreferences } from './llm.ts'
import { attached, filename, integer, runId, started, visible } from './rules.ts'

/** An id of a session: text that begins with `aps_` (spec §2.4). */
const sessionUuid = text(limits.NAME_MAX_CHARS).startsWith('aps_', 'must be text that begins with aps_')

/** What a caller may use of a model and of a day (spec §2.4). */
export const quotaCaps = z.object({
  max_tokens_per_call: z.int().min(1).optional(),
  max_runs_per_day: z.int().min(0).optional(),
  max_concurrent_runs: z.int().min(1).optional(),
})

/** Caps as a caller asks for them. */
export type QuotaCaps = z.output<typeof quotaCaps>

/**
 * One image of a run (spec §2.5), by `url` (public HTTPS) or `data` (base64, or a `data:` URI of the same type). What
 * these two must be, the host judges (decision 27). `detail`: how closely a model should look.
 */
export const attachment = z.object({
  type: z.enum(imageTypes),
  url: z.string().optional(),
  data: z.string().optional(),
  filename: filename.optional(),
  detail: z.enum(['low', 'high', 'auto']).optional(),
})

/** One image of a run, as it was sent. */
export type Attachment = z.output<typeof attachment>

/** What stands in every answer about one session. Times are RFC 3339 in UTC, counts of seconds are whole. */
const session = {
  app_session_uuid: z.string(),
  /** Seconds left of the session's token. */
  expires_in: z.number(),
  submode: z.enum(['auto', 'fixed']).nullable(),
  fixed_client_id: z.string().nullable(),
  expires_at: z.string(),
  max_lifetime_at: z.string(),
  idle_ttl_seconds: z.number(),
  /** Seconds until the nearer of the two ends. */
  session_expires_in: z.number(),
}

/** One entry of a list of sessions (spec §4.2): without its token, its prompt and its caps. */
export const sessionEntry = z.object({
  app_session_uuid: z.string(),
  kind: z.enum(['agent', 'complete']),
  submode: z.enum(['auto', 'fixed']).nullable(),
  fixed_client_id: z.string().nullable(),
  label: z.string().nullable(),
  created_at: z.string(),
  last_active_at: z.string(),
  expires_at: z.string(),
  max_lifetime_at: z.string(),
  /** Ended ones are listed with `include_expired` only. */
  state: z.enum(['active', 'expired', 'revoked']),
})

/** One entry of a list of sessions. */
export type SessionEntry = z.output<typeof sessionEntry>

/** One entry of the catalog of platform tools (spec §2.11). */
export const catalogEntry = z.object({
  name: z.string(),
  description: z.string(),
  dev_safe: z.boolean(),
  declared_in_manifest: z.boolean(),
  user_granted: z.boolean(),
  eligible: z.boolean(),
  blocked_by: z.enum(['manifest', 'user_grant']).optional(),
})

/**
 * One part of a message in which tools were called. `arguments` is JSON text as the model wrote it, or what should have
 * been that; a result has `output`, what the tool answered, or `error`, what the model was told instead.
 */
export const historyPart = z.union([
  z.object({ type: z.literal('text'), text: z.string() }),
  z.object({
    type: z.literal('tool_call'),
    tool_call_id: z.string(),
    name: z.string(),
    arguments: z.string(),
  }),
  z.object({
    type: z.literal('tool_result'),
    tool_call_id: z.string(),
    name: z.string(),
    output: z.unknown().optional(),
    error: z.object({ code: z.string(), message: z.string() }).optional(),
  }),
])

/** One part of a message in which tools were called. */
export type HistoryPart = z.output<typeof historyPart>

/** One message of a history: text, or parts where tools were called; never an image. */
export const historyMessage = z.object({
  role: z.enum(['user', 'assistant', 'tool']),
  content: z.union([z.string(), z.array(historyPart)]),
  run_id: z.string(),
  /** The answer was cut off: what came until then is kept (decision 22). */
  aborted: z.literal(true).optional(),
})

/** One message of a history. */
export type HistoryMessage = z.output<typeof historyMessage>

/** Clamps a number into a range where the spec says clamped (decision 13). */
const clamped = (min: number, max: number, otherwise: number) =>
  integer.transform((value) => Math.min(max, Math.max(min, value))).default(otherwise)

/** Other names of arguments that are read where the first is absent (spec §4.2; design §9). */
const prompt = { system_prompt: 'systemPrompt', system: 'systemPrompt' } as const
const uuid = { appSessionUuid: 'app_session_uuid' } as const

/** `agent.*` (spec §4.2): sessions of an agent, kept by the host; admitted when the manifest enables a submode. */
export const agent = {
  'session.create': method({
    doc: 'Makes a session. What it may do is what the manifest declares, the user granted and its submode gives.',
    access: 'submode',
    aliases: { ...prompt, fixedClientId: 'fixed_client_id', quota_caps: 'quotaCaps' },
    args: z.object({
      submode: z.enum(['auto', 'fixed']),
      /** `null`, as answers have it for `auto`, is as if it were left out. */
      fixed_client_id: text(limits.TOOL_ID_MAX_CHARS).min(1).nullish(),
      label: text(limits.SESSION_LABEL_MAX_CHARS).optional(),
      systemPrompt: z.string().optional(),
      quotaCaps: quotaCaps.optional(),
    }),
    result: z.object({
      ...session,
      system_prompt: z.string().nullable(),
      granted_tools: z.array(z.string()),
      inherit_host_tools: z.boolean(),
    }),
  }),
  'session.catalog': method({
    doc: 'Lists the platform tools and says of each whether a session of this app may use it, and what is missing.',
    access: 'submode',
    args: z.object({}),
    result: z.object({
      platform_tools: z.array(catalogEntry),
      inherit_host_tools_granted: z.boolean(),
      manifest_declared: z.array(z.string()),
      user_granted: z.array(z.string()),
    }),
  }),
  'session.run': method({
    doc: 'Gives the session its next turn. It answers at once; the frames follow as rpc.stream events. The same run_id with the same arguments is one run.',
    access: 'submode',
    aliases: { ...uuid, ...prompt, allowedTools: 'allowed_tools', runId: 'run_id' },
    args: z.object({
      app_session_uuid: sessionUuid,
      content: visible(limits.RUN_CONTENT_MAX_CHARS),
      attachments: z.array(attachment).max(limits.ATTACHMENTS_PER_RUN).optional(),
      run_id: runId.optional(),
      recursion_limit: z.int().min(1).max(limits.RECURSION_LIMIT_MAX).default(limits.RECURSION_LIMIT_DEFAULT),
      systemPrompt: z.string().optional(),
      allowed_tools: z.array(text(limits.TOOL_ID_MAX_CHARS)).max(limits.GRANTED_TOOLS_MAX).optional(),
      modelPreferences: modelPreferences.optional(),
    }),
    result: started,
  }),
  'session.cancel': method({
    doc: 'Cancels a run. cancelled tells whether it was under way; the run stops at its next checkpoint, and its end frame says so.',
    access: 'submode',
    aliases: { ...uuid, runId: 'run_id' },
    args: z.object({ app_session_uuid: sessionUuid, run_id: runId }),
    result: z.object({ cancelled: z.boolean() }),
  }),
  'session.attach': method({
    doc: 'Sends the frames of a run after after_seq, with the numbers that they have, to the calling window, and those that follow.',
    access: 'submode',
    aliases: { ...uuid, runId: 'run_id' },
    args: z.object({ app_session_uuid: sessionUuid, run_id: runId, after_seq: z.int().min(0).default(0) }),
    result: attached,
  }),
  'session.history': method({
    doc: 'Reads the last messages of a session, the oldest first; an empty list where there are none. limit is moved into 1 to 200.',
    access: 'submode',
    aliases: uuid,
    args: z.object({
      app_session_uuid: sessionUuid,
      limit: clamped(1, limits.HISTORY_LIMIT_MAX, limits.HISTORY_LIMIT_DEFAULT),
    }),
    result: z.object({ messages: z.array(historyMessage) }),
  }),
  'session.list': method({
    doc: 'Lists the sessions of this app and user, the newest first; ended ones only with include_expired. limit is moved into 1 to 100.',
    access: 'submode',
    aliases: { includeExpired: 'include_expired' },
    args: z.object({
      include_expired: z.boolean().default(false),
      limit: clamped(1, limits.SESSION_LIST_MAX, limits.SESSION_LIST_DEFAULT),
    }),
    result: z.object({ sessions: z.array(sessionEntry) }),
  }),
  'session.delete': method({
    doc: 'Ends a session and cancels its runs; of one that is gone already nothing is left to do.',
    access: 'submode',
    aliases: uuid,
    args: z.object({ app_session_uuid: sessionUuid }),
    result: z.object({ deleted: z.literal(true) }),
  }),
  'session.refresh': method({
    doc: 'Moves the idle end of a session on, never past max_lifetime_at.',
    access: 'submode',
    aliases: uuid,
    args: z.object({ app_session_uuid: sessionUuid }),
    result: z.object(session),
  }),
}
