import { limits } from '@svc/contract'
import type { PlugType } from '../../catalog/plug-row.ts'
import type { PluginServices } from '../services.ts'

/** A text as a part of a `tool_id`: lower-case letters and digits, joined by single dashes; `''` where none is left. */
function part(text: string, maxChars: number): string {
  const plain = text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
  return plain
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-/, '')
    .slice(0, maxChars)
    .replace(/-$/, '')
}

/**
 * Mints `tool-{author_handle}-{slug}-{uniq}`. It holds letters, digits and dashes only, so neither `.` nor
 * `__`. The handle is the user's id up to an `@`: no address gets into a name that others read.
 */
export function mintToolId(
  newId: PluginServices['newId'],
  userId: string,
  {
    name,
    type,
    slug = name,
  }: { readonly name: string; readonly type: PlugType; readonly slug?: string | undefined },
): string {
  const author = part(userId.split('@')[0] ?? '', limits.PLUG_AUTHOR_MAX_CHARS) || 'user'
  return `tool-${author}-${part(slug, limits.SLUG_MAX_CHARS) || type}-${newId('plug')}`
}

const PUBLISHED = /^tool(-[a-z0-9]+)+$/
/** Eight digits at the end, where a minted one has 128 bits: an author may be called `local`. */
const CONFIGURED = /^tool-local-.+-[0-9a-f]{8}$/

/** Whether a name may be the `tool_id` of a published plugin: no handle, and no id of a configured one. */
export const isPublishedId = (name: string): boolean => PUBLISHED.test(name) && !CONFIGURED.test(name)
