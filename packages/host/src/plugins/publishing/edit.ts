import type { Visibility } from '@svc/contract'
import { visibility } from '@svc/contract/states'
import type { PlugRecord, PlugRow } from '../../catalog/plug-row.ts'
import { forgetValues } from '../../catalog/plug-values.ts'
import { newest } from '../../catalog/plug-versions.ts'
import { judgeLink, judgePlug, withVersion } from './content.ts'
import { changePlug } from './own-plug.ts'
import type { CommitBody, EditBody } from './plug-input.ts'
import type { PublishingParts } from './publishing.ts'
import { FIRST_SEQ, freeze } from './snapshots.ts'

/** The live record with what an edit changes; its version stays that of its manifest. */
function edited(row: PlugRow, { manifest, visibility: _, ...fields }: EditBody, now: number): PlugRow {
  const given = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
  const version = manifest?.version ?? row.version
  return {
    ...row,
    ...given,
    version,
    manifest: manifest ? withVersion(manifest, version) : row.manifest,
    updated_at: now,
  }
}

/**
 * Edits the live record and moves its visibility; versions stay as they were frozen. Errors: `not_found`,
 * `invalid_arg`.
 */
export async function editPlug(
  parts: PublishingParts,
  userId: string,
  toolId: string,
  body: EditBody,
): Promise<PlugRecord> {
  if (typeof body.logo_url === 'string') judgeLink(parts, body.logo_url, 'logo_url')
  return changePlug(parts, userId, toolId, async (plug) => {
    const row = edited(plug.row, body, parts.clock.now())
    judgePlug(parts, row)
    return body.visibility
      ? { ...row, visibility: await show(parts, { ...plug, row }, body.visibility) }
      : row
  })
}

const emptied = ({ manifest: { name } }: PlugRow) => ({ name, tools: [] })

/** Removes a plugin of its owner; its id is never given again, its record and versions go later. Errors: `not_found`. */
export async function removePlug(
  parts: Pick<PublishingParts, 'clock' | 'copies' | 'published' | 'store'>,
  userId: string,
  toolId: string,
): Promise<void> {
  await changePlug(parts, userId, toolId, async ({ row }) => {
    const now = parts.clock.now()
    return { ...row, readme: null, manifest: emptied(row), removed_at: now, updated_at: now }
  })
  await forgetValues(parts, toolId)
}

/** Shows a plugin that was just made to whom its commit says. Errors: `not_found` (removed meanwhile). */
export async function showAs(
  parts: PublishingParts,
  made: PlugRecord,
  wanted: CommitBody['visibility'],
): Promise<PlugRecord> {
  if (wanted === undefined || wanted === 'private') return made
  return changePlug(parts, made.row.owner, made.id, async (plug) => ({
    ...plug.row,
    visibility: await show(parts, plug, wanted),
  }))
}

/** The event of the table that leads to each visibility. */
const events = { private: 'hide', app_bundled: 'bundle', public: 'publish' } as const

/**
 * The visibility that a plugin comes to when `wanted` is asked for. The first way past `private` freezes the first
 * version, and before it is shown: nobody ever sees a plugin that has none. Where it is frozen already,
 * nothing happens.
 */
export async function show(
  parts: PublishingParts,
  { id, row }: PlugRecord,
  wanted: Visibility,
): Promise<Visibility> {
  const next = visibility.next(row.visibility, events[wanted]) ?? row.visibility
  if (next !== 'private' && !(await newest(parts, id))) await freeze(parts, id, FIRST_SEQ, row)
  return next
}
