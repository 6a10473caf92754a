import { limits } from '../limits/index.ts'
import { type AuditName, audit, auditLogs } from '../schemas/audit.ts'
import { publisher } from '../schemas/publisher.ts'
import { text } from '../values/text.ts'
import * as z from '../values/zod.ts'
import { nothing } from './nothing.ts'
import { route } from './row.ts'

const names = Object.keys(audit) as AuditName[]
const user = text(limits.TOOL_ID_MAX_CHARS).min(1)

const entry = z.object({
  at: z.string(),
  what: z.enum(names),
  user_id: z.string().nullable(),
  outcome: z.string(),
  app_id: z.string().optional(),
  window_uuid: z.string().optional(),
  app_session_uuid: z.string().optional(),
  target: z.string().optional(),
  method: z.string().optional(),
  ms: z.number().optional(),
  address: z.string().optional(),
})

const params = { user_id: 'The id of the user, as the sign-in gives it.' } as const

/** What the operator does with a host. */
export const admin = {
  'admin.audit': route('GET', '/api/v1/svc-apps/admin/audit', {
    auth: 'admin',
    tag: 'operator',
    summary: 'Reads the audit log, the oldest entry first.',
    query: () =>
      z.object({
        log: z
          .enum(auditLogs)
          .default('acts')
          .describe(
            '`acts`: what users and the operator changed; `calls`: tool calls and tokens; `denials`: what was refused.',
          ),
        after: text(limits.NAME_MAX_CHARS).optional().describe('The `cursor` of the page before.'),
        user: user.optional().describe('The id of a user.'),
        what: z.enum(names).optional().describe('One kind of entry.'),
        limit: z.int().min(1).max(limits.AUDIT_PAGE_MAX).default(limits.AUDIT_PAGE_DEFAULT),
      }),
    answer: () =>
      z.object({
        entries: z.array(entry),
        /** What the next page is asked with, also where nothing came behind it yet. */
        cursor: z.string(),
        /** Whether there was more when this was read. */
        more: z.boolean(),
        /** Entries behind the cursor of the question are not kept any more. */
        lost: z.boolean(),
      }),
    example: {
      answer: {
        entries: [
          {
            at: '2026-03-01T09:00:00.000Z',
            what: 'app.install',
            user_id: 'ada',
            outcome: 'ok',
            app_id: 'app_k3v9',
            target: 'ins_5f8a',
          },
        ],
        cursor: 'q83vEjRWeJCr7_8B.1',
        more: false,
        lost: false,
      },
    },
    errors: [],
  }),
  'admin.verify_publisher': route('PUT', '/api/v1/svc-apps/admin/users/{user_id}/publisher', {
    auth: 'admin',
    tag: 'operator',
    summary:
      'Verifies the name of a user as a publisher of plugins, or another name in its place: it is shown wherever the author of a plugin is. `conflict`: a user has that name, or one that looks like it.',
    params,
    body: () =>
      z.object({
        name: text(limits.PUBLISHER_NAME_MAX_CHARS)
          .min(1)
          .describe("Letters of one script, digits, spaces and `. , & ' + -`."),
      }),
    answer: publisher,
    example: {
      body: { name: 'Weather  Ltd.' },
      answer: { name: 'Weather Ltd.', verified: true },
    },
    errors: ['not_found', 'conflict'],
  }),
  'admin.withdraw_publisher': route('DELETE', '/api/v1/svc-apps/admin/users/{user_id}/publisher', {
    auth: 'admin',
    tag: 'operator',
    summary: 'Takes the verified name of a publisher back; the name is free again.',
    params,
    answer: nothing,
    errors: ['not_found'],
  }),
  'admin.block': route('POST', '/api/v1/svc-apps/admin/users/{user_id}/block', {
    auth: 'admin',
    tag: 'operator',
    summary:
      'Shuts a user out: his windows, agent sessions, jobs, streams, sockets and the links of his machines end at once, and whatever he asks for is `permission_denied`. What he made stays.',
    params,
    answer: nothing,
    errors: ['invalid_arg'],
  }),
  'admin.unblock': route('POST', '/api/v1/svc-apps/admin/users/{user_id}/unblock', {
    auth: 'admin',
    tag: 'operator',
    summary: 'Lets a user in again who was blocked or removed.',
    params,
    answer: nothing,
    errors: ['not_found'],
  }),
  'admin.erase': route('DELETE', '/api/v1/svc-apps/admin/users/{user_id}', {
    auth: 'admin',
    tag: 'operator',
    summary:
      'Deletes a user with all that was his: as a block, then every record and byte, his apps and plugins for everybody too. He stays shut out until `unblock`. What broke off is finished by asking again. The audit log keeps its entries.',
    params,
    answer: nothing,
    errors: ['invalid_arg'],
  }),
  'admin.data': route('GET', '/api/v1/svc-apps/admin/users/{user_id}/data', {
    auth: 'admin',
    tag: 'operator',
    summary:
      'Reads all that is kept of a user, as JSON lines `{kind, id, row}`: `kind` is the name of a collection. Bytes follow their record in pieces, `{kind: "files.bytes", id, at, base64}`. The hashes of machine tokens are left out.',
    params,
    answer: 'application/x-ndjson',
    errors: [],
  }),
  'admin.sign_out': route('POST', '/api/v1/svc-apps/admin/users/{user_id}/sign-out', {
    auth: 'admin',
    tag: 'operator',
    summary:
      'Ends every sign-in of a user before now, with his windows, agent sessions and streams. His jobs and machines go on.',
    params,
    answer: nothing,
    errors: ['invalid_arg'],
  }),
}
