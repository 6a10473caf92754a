import { isHostRpcError, svc } from '@svc/sdk'

/** A note as the list shows it. */
export interface Listed {
  readonly key: string
  readonly name: string
  readonly excerpt: string
  readonly etag: string
  /** ISO 8601; `null` where the host does not keep it. */
  readonly updatedAt: string | null
}

/** A stored text and the etag that names this version of it. */
export interface Stored {
  readonly text: string
  readonly etag: string
}

/** What a write came to: the new etag, or the version that stands in its way (`null`: the note is gone). */
export type Written = { readonly etag: string } | { readonly inTheWay: Stored | null }

const PREFIX = 'note/'
const EXCERPT_CHARS = 80
const PAGE = 200

/** The key of a note. Case is folded, so that `Milk` and `milk` are one note, and found by the same prefix. */
export const keyOf = (name: string): string => `${PREFIX}${name.normalize('NFC').trim().toLowerCase()}`

/** Every note whose name begins with `prefix`, in order. */
export async function listNotes(prefix: string): Promise<Listed[]> {
  const found: Listed[] = []
  let cursor: string | null = null
  do {
    const page: Awaited<ReturnType<typeof svc.storage.list>> = await svc.storage.list({
      prefix: keyOf(prefix),
      limit: PAGE,
      cursor,
    })
    for (const { key, etag, metadata, updated_at } of page.items)
      found.push({
        key,
        etag,
        name: String(metadata?.name ?? key.slice(PREFIX.length)),
        excerpt: String(metadata?.excerpt ?? ''),
        updatedAt: updated_at,
      })
    cursor = page.next_cursor
  } while (cursor !== null)
  return found
}

/** Reads a note; `null` where there is none. */
export async function readNote(key: string): Promise<Stored | null> {
  try {
    const { value, etag } = await svc.storage.get({ key })
    return { text: String(value), etag }
  } catch (error) {
    if (isHostRpcError(error) && error.code === 'not_found') return null
    throw error
  }
}

/** Writes a note over the version that `etag` names; `null` writes whatever stands there. */
export function writeNote(key: string, name: string, text: string, etag: string | null): Promise<Written> {
  const excerpt = text.trim().split('\n', 1)[0]?.slice(0, EXCERPT_CHARS) ?? ''
  return unlessChanged(key, async () => {
    const { etag: made } = await svc.storage.set({
      key,
      value: text,
      metadata: { name, excerpt },
      ...(etag !== null && { if_match: etag }),
    })
    return { etag: made }
  })
}

/**
 * Creates an empty note; a name that is taken is left as it is. Storage has no "only if absent", so another window
 * may write between our look and our write: what stands afterwards is read, and `false` says that it is not ours.
 */
export async function createNote(key: string, name: string): Promise<boolean> {
  if (await readNote(key)) return true
  const written = await writeNote(key, name, '', null)
  const stands = await readNote(key)
  return stands !== null && 'etag' in written && stands.etag === written.etag
}

/** Removes the version that `etag` names. */
export const removeNote = (key: string, etag: string): Promise<Written> =>
  unlessChanged(key, async () => {
    await svc.storage.delete({ key, if_match: etag })
    return { etag: '' }
  })

/** A write whose `if_match` does not fit changed nothing; what stands there instead is read at once. */
async function unlessChanged(key: string, write: () => Promise<Written>): Promise<Written> {
  try {
    return await write()
  } catch (error) {
    if (isHostRpcError(error) && error.code === 'precondition_failed')
      return { inTheWay: await readNote(key) }
    throw error
  }
}
