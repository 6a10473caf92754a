import { refuse } from '@svc/contract'
import { collection, type Store, type StoreRecord, type WriteOptions } from '@svc/state'
import type { KernelServices } from '../../kernel/services.ts'
import { keyId } from '../storage/space.ts'

/** The bytes of one write. `write_id` is what holds their use (`blobs/uses.ts`). */
export interface Content {
  readonly write_id: string
  readonly digest: string
  readonly mime: string
  /** Written as text, and read as text where nothing else is asked for. */
  readonly is_text: boolean
  readonly size_bytes: number
  /** Until when its bytes must have come, in Unix ms. */
  readonly until: number
  /** It leaves although it was still arriving: its bytes may come yet. */
  readonly is_late?: true
}

/**
 * A file under a path. Its record names bytes before they are put and until they are dropped, so that the sweep finds
 * what a write that was interrupted left. It is deleted with the last of them, and its space keeps its generation, as in
 * storage.
 */
export interface AppFileRow {
  readonly space: string
  readonly path: string
  /** Whose room it takes; `null`: what all users of the app share. */
  readonly user_id: string | null
  readonly live: Content | null
  readonly arriving: readonly Content[]
  readonly leaving: readonly Content[]
  readonly etag: string
  readonly generation: number
  readonly updated_at: number
  /** Its app was uninstalled: nothing keeps its generation. */
  readonly forgotten: boolean
}

/** A stored file. */
export type AppFileRecord = StoreRecord<AppFileRow>

/** Bytes that leave count until they are gone. */
const isHeld = ({ live, arriving, leaving }: AppFileRow) =>
  live !== null || arriving.length > 0 || leaving.length > 0

/** When the sweep looks at it: at once where bytes or the record are to go, else when a write has had its time. */
function dueAt({ live, arriving, leaving }: AppFileRow): number | null {
  if (leaving.length > 0 || (live === null && arriving.length === 0)) return 0
  return arriving.length > 0 ? Math.min(...arriving.map(({ until }) => until)) : null
}

/** Files by the hash of space and path. */
export const appFiles = collection({
  name: 'app_files',
  row: {} as AppFileRow,
  indexes: {
    live: (row) => (row.live === null ? null : [row.space, row.path]),
    bySpace: (row) => [row.space],
    byUser: (row) => (row.user_id === null ? null : [row.user_id, row.space, row.path]),
    heldInSpace: (row) => (isHeld(row) ? [row.space] : null),
    heldByUser: (row) => (isHeld(row) && row.user_id !== null ? [row.user_id] : null),
    dueAt: (row) => {
      const due = dueAt(row)
      return due === null ? null : [due]
    },
  },
})

type Caps = WriteOptions<'live' | 'bySpace' | 'byUser' | 'heldInSpace' | 'heldByUser' | 'dueAt'>

/** What a change returns that met a full cap. */
export interface Full {
  readonly full: string
}

/**
 * Changes a file by compare-and-set: what `next` refuses is refused by the current row. `null` from `next` leaves
 * things as they are, and is the answer.
 */
export async function changeAppFile<Next extends AppFileRow | null>(
  store: Store,
  id: string,
  next: (old: AppFileRow | null) => Next,
  caps: Caps = {},
): Promise<AppFileRecord | Full | (Next & null)> {
  for (;;) {
    const old = await store.get(appFiles, id)
    const row: AppFileRow | null = next(old?.row ?? null)
    if (row === null) return null as Next & null
    const written = old
      ? await store.swap(appFiles, id, old.revision, row, caps)
      : await store.insert(appFiles, id, row, caps)
    if (written.ok) return written.record
    if ('full' in written) return { full: written.full }
  }
}

/** The refusal for a path under which nothing is. */
export const noSuchPath = (path: string) =>
  refuse('not_found', `there is no file under the path ${JSON.stringify(path)}`)

/** A file that is there. */
export interface FoundFile {
  readonly row: AppFileRow
  readonly live: Content
}

/** What is known of a file. Errors: `not_found`. */
export async function statAppFile(
  { store }: Pick<KernelServices, 'store'>,
  space: string,
  path: string,
): Promise<FoundFile> {
  const record = await store.get(appFiles, keyId(space, path))
  if (!record?.row.live) throw noSuchPath(path)
  return { row: record.row, live: record.row.live }
}

/** A file with its bytes, for reading only. Errors: `not_found`. */
export async function readAppFile(
  services: Pick<KernelServices, 'blobs' | 'store'>,
  space: string,
  path: string,
): Promise<FoundFile & { readonly bytes: Buffer }> {
  for (let before: string | null = null; ; ) {
    const found = await statAppFile(services, space, path)
    const bytes = await services.blobs.get(found.live.digest)
    if (bytes) return { ...found, bytes: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength) }
    // Another write may have taken them away between the two reads; the same write read twice has lost them.
    if (before === found.live.write_id) throw new Error('the bytes of a file are missing')
    before = found.live.write_id
  }
}
