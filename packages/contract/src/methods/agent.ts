import { limits } from '../limits/index.ts'
import { imageTypes } from '../values/media-types.ts'
import { text } from '../values/text.ts'
import * as z from '../values/zod.ts'
import { method } from './define.ts'
import { historyMessage } from './history.ts'
import { modelPreferences } from './llm.ts'
import { attached, filename, integer, runId, started, visible } from './rules.ts'

/** An id of a session: text that begins with `aps_`. */
const sessionUuid = text(limits.NAME_MAX_CHARS)
  .startsWith('aps_', 'must be text that begins with aps_')
  .describe('The id of the session; begins with `aps_`.')

/** What a caller may use of a model and of a day. */
export const quotaCaps = z
  .object({
    max_tokens_per_call: z.int().min(1).optional().describe('The most tokens that one run may write.'),
    max_runs_per_day: z.int().min(0).optional().describe('The most runs of the session in a day.'),
    max_concurrent_runs: z.int().min(1).optional().describe('The most runs of the session at once.'),
  })
  .describe('Caps of a session; what the user granted the app is the limit of each.')

/** One image of a run, by `url` or by `data`: what these two must be, the host judges. */
export const attachment = z
  .object({
    type: z.enum(imageTypes).describe('Its media type.'),
    url: z.string().optional().describe('A public https:// URL of it; either this or `data`.'),
    data: z.string().optional().describe('Its bytes in base64, or a `data:` URI of the same type.'),
    filename: filename.optional(),
    detail: z.enum(['low', 'high', 'auto']).optional().describe('How closely the model should look.'),
  })
  .describe('One image of a run.')

const submode = z
  .enum(['auto', 'fixed'])
  .nullable()
  .describe('`auto`: the tools that the user granted. `fixed`: those of one plugin.')
const fixedClient = z.string().nullable().describe('The plugin of submode `fixed`.')

/** What every result about one session has. Times are RFC 3339 in UTC, seconds are whole numbers. */
const session = {
  app_session_uuid: z.string().describe('The id of the session; begins with `aps_`.'),
  expires_in: z.number().describe("Seconds left of the session's token."),
  submode,
  fixed_client_id: fixedClient,
  expires_at: z.string().describe('When it ends if nothing happens, RFC 3339; each run moves it on.'),
  max_lifetime_at: z.string().describe('When it ends in any case, RFC 3339.'),
  idle_ttl_seconds: z.number().describe('Seconds without a run or refresh after which it ends.'),
  session_expires_in: z.number().describe('Seconds until the nearer of the two ends.'),
}

/** One entry of a list of sessions: without its token, its prompt and its caps. */
export const sessionEntry = z
  .object({
    app_session_uuid: z.string().describe('The id of the session.'),
    kind: z.enum(['agent', 'complete']).describe('`complete`: a session of single completions.'),
    submode,
    fixed_client_id: fixedClient,
    label: z.string().nullable().describe('The label that it was made with.'),
    created_at: z.string().describe('When it was made, RFC 3339 in UTC.'),
    last_active_at: z.string().describe('When it was last used, RFC 3339 in UTC.'),
    expires_at: z.string().describe('When it ends if nothing happens, RFC 3339 in UTC.'),
    max_lifetime_at: z.string().describe('When it ends in any case, RFC 3339 in UTC.'),
    state: z
      .enum(['active', 'expired', 'revoked'])
      .describe('Ended sessions are listed with `include_expired` only.'),
  })
  .describe('One entry of a list of sessions.')

/** One entry of the catalog of platform tools. */
export const catalogEntry = z
  .object({
    name: z.string().describe('The name of the tool, as a model sees it.'),
    description: z.string().describe('What it does.'),
    dev_safe: z.boolean().describe('Whether it may be used in development.'),
    declared_in_manifest: z.boolean().describe('Whether the manifest declares it.'),
    user_granted: z.boolean().describe('Whether the user granted it.'),
    eligible: z.boolean().describe('Whether a session of this app may use it.'),
    blocked_by: z.enum(['manifest', 'user_grant']).optional().describe('What is missing where it may not.'),
  })
  .describe('One platform tool, and whether a session of this app may use it.')

/** Clamps a number into a range instead of refusing it. */
const clamped = (min: number, max: number, otherwise: number) =>
  integer.transform((value) => Math.min(max, Math.max(min, value))).default(otherwise)

/** Other names of arguments that are read where the first is absent. */
const prompt = { system_prompt: 'systemPrompt', system: 'systemPrompt' } as const
const uuid = { appSessionUuid: 'app_session_uuid' } as const

const systemPrompt = z.string().optional()

/** What became of a session that is not active. */
const sessionErrors = ['APP_SESSION_EXPIRED', 'APP_SESSION_REVOKED', 'APP_SESSION_NOT_FOUND'] as const

/** `agent.*`: sessions of an agent, kept by the host; admitted when the manifest enables a submode. */
export const agent = {
  'session.create': method({
    doc: 'Makes a session. It may use what the manifest declares, the user granted and its submode gives. `svc.agent.session(…)` returns a handle instead.',
    access: 'submode',
    aliases: { ...prompt, fixedClientId: 'fixed_client_id', quota_caps: 'quotaCaps' },
    args: () =>
      z.object({
        submode: z
          .enum(['auto', 'fixed'])
          .describe('`auto`: the tools that the user granted. `fixed`: those of one plugin.'),
        fixed_client_id: text(limits.TOOL_ID_MAX_CHARS)
          .min(1)
          .nullish()
          .describe('The plugin of submode `fixed`; `null` is as if it were left out.'),
        label: text(limits.SESSION_LABEL_MAX_CHARS).optional().describe('A name for lists of sessions.'),
        systemPrompt: systemPrompt.describe('What the model is told before everything else.'),
        quotaCaps: quotaCaps.optional(),
      }),
    result: () =>
      z.object({
        ...session,
        system_prompt: z.string().nullable().describe('The system prompt; `null` where it has none.'),
        granted_tools: z
          .array(z.string())
          .describe('The tools that its runs may use, by the names that the model sees.'),
        inherit_host_tools: z.boolean().describe('Whether platform tools are among them in submode `fixed`.'),
      }),
    errors: ['APP_INVALID_REQUEST', 'not_found', 'not_implemented'],
    example:
      "const session = await svc.agent.session({ submode: 'auto', systemPrompt: 'You plan trips.' })\nconst run = await session.run('Three days in Lisbon')\nfor await (const piece of run.text()) show(piece)",
  }),
  'session.catalog': method({
    doc: 'Lists the platform tools, and says for each whether a session of this app may use it or what is missing.',
    access: 'submode',
    args: () => z.object({}),
    result: () =>
      z.object({
        platform_tools: z.array(catalogEntry).describe('The platform tools.'),
        inherit_host_tools_granted: z
          .boolean()
          .describe('Whether sessions of submode `fixed` may use them too.'),
        manifest_declared: z.array(z.string()).describe('The tools that the manifest declares.'),
        user_granted: z.array(z.string()).describe('The tools that the user granted.'),
      }),
    example: 'const { platform_tools } = await svc.agent.session.catalog()',
  }),
  'session.run': method({
    doc: 'Starts the next turn of a session and returns at once; the frames follow as rpc.stream events. The same run_id with the same arguments is one run.',
    access: 'submode',
    rate: 'model',
    aliases: { ...uuid, ...prompt, allowedTools: 'allowed_tools', runId: 'run_id' },
    args: () =>
      z.object({
        app_session_uuid: sessionUuid,
        content: visible(limits.RUN_CONTENT_MAX_CHARS).describe('What the user says.'),
        attachments: z
          .array(attachment)
          .max(limits.ATTACHMENTS_PER_RUN)
          .optional()
          .describe('Images to look at.'),
        run_id: runId.optional().describe('A uuid of your own, so that a repeated call is still one run.'),
        recursion_limit: z
          .int()
          .min(1)
          .max(limits.RECURSION_LIMIT_MAX)
          .default(limits.RECURSION_LIMIT_DEFAULT)
          .describe('The most steps (replies of the model and rounds of tools).'),
        systemPrompt: systemPrompt.describe('A system prompt for this run only.'),
        allowed_tools: z
          .array(text(limits.TOOL_ID_MAX_CHARS))
          .max(limits.GRANTED_TOOLS_MAX)
          .optional()
          .describe('The only tools that this run may use, by the names that the model sees.'),
        modelPreferences: modelPreferences.optional(),
      }),
    result: started,
    errors: [...sessionErrors, 'APP_QUOTA_EXCEEDED', 'APP_INVALID_REQUEST', 'APP_MODEL_NOT_VISION_CAPABLE'],
    example:
      "const { run_id } = await svc.agent.session.run({ app_session_uuid, content: 'And the day after?' })",
  }),
  'session.cancel': method({
    doc: 'Cancels a run. It stops at its next checkpoint, and its end frame says so.',
    access: 'submode',
    aliases: { ...uuid, runId: 'run_id' },
    args: () => z.object({ app_session_uuid: sessionUuid, run_id: runId }),
    result: () => z.object({ cancelled: z.boolean().describe('Whether it was still under way.') }),
    errors: sessionErrors,
    example: 'await svc.agent.session.cancel({ app_session_uuid, run_id })',
  }),
  'session.attach': method({
    doc: 'Sends the frames of a run again to the calling window, with the numbers that they have, and those that follow.',
    access: 'submode',
    aliases: { ...uuid, runId: 'run_id' },
    args: () =>
      z.object({
        app_session_uuid: sessionUuid,
        run_id: runId,
        after_seq: z.int().min(0).default(0).describe('The last frame that is known already.'),
      }),
    result: attached,
    errors: [...sessionErrors, 'not_found'],
    example: 'await svc.agent.session.attach({ app_session_uuid, run_id, after_seq: 12 })',
  }),
  'session.history': method({
    doc: 'Reads the last messages of a session, the oldest first.',
    access: 'submode',
    aliases: uuid,
    args: () =>
      z.object({
        app_session_uuid: sessionUuid,
        limit: clamped(1, limits.HISTORY_LIMIT_MAX, limits.HISTORY_LIMIT_DEFAULT).describe(
          `The most messages to return, moved into 1 to ${limits.HISTORY_LIMIT_MAX}.`,
        ),
      }),
    result: () => z.object({ messages: z.array(historyMessage).describe('The messages, oldest first.') }),
    errors: sessionErrors,
    example: 'const { messages } = await svc.agent.session.history({ app_session_uuid, limit: 20 })',
  }),
  'session.list': method({
    doc: 'Lists the sessions of this app and user, the newest first.',
    access: 'submode',
    aliases: { includeExpired: 'include_expired' },
    args: () =>
      z.object({
        include_expired: z.boolean().default(false).describe('Lists those that have ended too.'),
        limit: clamped(1, limits.SESSION_LIST_MAX, limits.SESSION_LIST_DEFAULT).describe(
          `The most sessions to return, moved into 1 to ${limits.SESSION_LIST_MAX}.`,
        ),
      }),
    result: () => z.object({ sessions: z.array(sessionEntry).describe('The sessions, newest first.') }),
    example: 'const { sessions } = await svc.agent.session.list()',
  }),
  'session.delete': method({
    doc: 'Ends a session and cancels its runs. It is no error if it has ended already.',
    access: 'submode',
    aliases: uuid,
    args: () => z.object({ app_session_uuid: sessionUuid }),
    result: () => z.object({ deleted: z.literal(true).describe('It has ended.') }),
    errors: ['APP_SESSION_NOT_FOUND'],
    example: 'await svc.agent.session.delete({ app_session_uuid })',
  }),
  'session.refresh': method({
    doc: 'Moves expires_at of a session on, never past max_lifetime_at.',
    access: 'submode',
    aliases: uuid,
    args: () => z.object({ app_session_uuid: sessionUuid }),
    result: () => z.object(session),
    errors: sessionErrors,
    example: 'const { expires_at } = await svc.agent.session.refresh({ app_session_uuid })',
  }),
}
