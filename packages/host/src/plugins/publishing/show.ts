import type { Visibility } from '@svc/contract'
import { visibility } from '@svc/contract/states'
import type { PlugRecord } from '../../catalog/plug-row.ts'
import { newest } from '../../catalog/plug-versions.ts'
import type { PublishingParts } from './parts.ts'
import { FIRST_SEQ, freeze } from './snapshots.ts'

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
