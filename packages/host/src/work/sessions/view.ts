import type { Methods, ResultOf, SessionEntry } from '@svc/contract'
import type { InstallRow, VersionRow } from '../../catalog/records.ts'
import { isoOf } from '../../kernel/iso.ts'
import type { WorkServices } from '../services.ts'
import type { SessionRecord } from './session-row.ts'
import { sessionTools } from './session-tools.ts'

const SECOND_MS = 1_000

/** A session as lists show it; the record is one that was read just now. */
export const sessionEntryOf = ({ id, row }: SessionRecord): SessionEntry => ({
  app_session_uuid: id,
  kind: row.kind,
  submode: row.submode,
  fixed_client_id: row.fixed_client_id,
  label: row.label,
  created_at: isoOf(row.created_at),
  last_active_at: isoOf(row.last_active_at),
  expires_at: isoOf(row.expires_at),
  max_lifetime_at: isoOf(row.max_lifetime_at),
  state: row.state,
})

/** What `refresh` returns. */
export function sessionLife(
  { clock, sessions }: Pick<WorkServices, 'clock' | 'sessions'>,
  { id, row }: SessionRecord,
): ResultOf<Methods['agent']['session.refresh']> {
  const ends = Math.min(row.expires_at, row.max_lifetime_at)
  return {
    app_session_uuid: id,
    expires_in: sessions.tokenExpiresIn(id),
    submode: row.submode,
    fixed_client_id: row.fixed_client_id,
    expires_at: isoOf(row.expires_at),
    max_lifetime_at: isoOf(row.max_lifetime_at),
    idle_ttl_seconds: Math.floor(row.idle_ttl_ms / SECOND_MS),
    session_expires_in: Math.max(0, Math.floor((ends - clock.now()) / SECOND_MS)),
  }
}

/** What `create` returns. */
export async function sessionCreated(
  services: WorkServices,
  record: SessionRecord,
  rights: { readonly version: VersionRow; readonly install: InstallRow },
): Promise<ResultOf<Methods['agent']['session.create']>> {
  const tools = await sessionTools(services, { session: record, ...rights })
  return {
    ...sessionLife(services, record),
    system_prompt: record.row.system_prompt,
    granted_tools: tools.map(({ name }) => name),
    inherit_host_tools: record.row.inherit_host_tools,
  }
}
