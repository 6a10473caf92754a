import { type PlugRecord, type PlugRow, plugs } from '../../catalog/plug-row.ts'
import { judgeLink, judgePlug, withVersion } from './content.ts'
import { ownPlug, type PublishingParts } from './parts.ts'
import { bodies, type EditBody, readBody } from './plug-input.ts'
import { show } from './show.ts'

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
  input: unknown,
): Promise<PlugRecord> {
  const body = readBody(bodies.edit, input)
  if (typeof body.logo_url === 'string') judgeLink(parts, body.logo_url, 'logo_url')
  for (;;) {
    const plug = await ownPlug(parts, userId, toolId)
    const row = edited(plug.row, body, parts.clock.now())
    judgePlug(parts, row)
    const visibility = body.visibility ? await show(parts, { ...plug, row }, body.visibility) : row.visibility
    const swapped = await parts.store.swap(plugs, toolId, plug.revision, { ...row, visibility })
    if (!swapped.ok) continue
    await parts.published.changed({ toolId, plug: { before: plug, after: swapped.record } })
    return swapped.record
  }
}

const emptied = ({ manifest: { name } }: PlugRow) => ({ name, tools: [] })

/** Removes a plugin of its owner; its id is never given again, its versions stay where they are pinned. Errors: `not_found`. */
export async function removePlug(
  parts: Pick<PublishingParts, 'clock' | 'published' | 'store'>,
  userId: string,
  toolId: string,
): Promise<void> {
  for (;;) {
    const plug = await ownPlug(parts, userId, toolId)
    const now = parts.clock.now()
    const gone = { ...plug.row, readme: null, manifest: emptied(plug.row), removed_at: now, updated_at: now }
    const swapped = await parts.store.swap(plugs, toolId, plug.revision, gone)
    if (!swapped.ok) continue
    await parts.published.changed({ toolId, plug: { before: plug, after: swapped.record } })
    return
  }
}
