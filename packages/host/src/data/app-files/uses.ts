import type { Limits } from '@svc/contract'
import { collection, each, eachSettled, REMOVE, type Store, update } from '@svc/state'
import type { KernelServices } from '../../kernel/services.ts'

/** What bytes are put and dropped with. */
export type BytesParts = Pick<KernelServices, 'blobs' | 'clock' | 'removals' | 'store'> & {
  readonly limits: Pick<Limits, 'APP_FILE_WRITE_MS' | 'CLEAN_RECORDS_MAX'>
}

/**
 * That somebody needs some bytes: a bundle, or a file. Bytes are kept once for all who have them, and go with the
 * last of them. Who keeps bytes writes its own record first, then the use, then the bytes.
 */
export const fileUses = collection({
  name: 'file_uses',
  row: {} as { readonly file: string; readonly holder: string },
  indexes: { byFile: (row) => [row.file] },
})

/** Uses that were given up while their bytes were on their way: they are dropped once more. */
export const lateUses = collection({
  name: 'late_uses',
  row: {} as { readonly file: string; readonly holder: string; readonly due_at: number },
  indexes: { dueAt: (row) => [row.due_at] },
})

const useId = (file: string, holder: string): string => `${file}\n${holder}`

/**
 * Notes that `holder`, a bundle's digest or a file's id, needs the bytes of the digest `file`. One that is there is
 * written again: who was about to drop it then no longer does.
 */
export async function addUse(store: Store, file: string, holder: string): Promise<void> {
  await update(store, fileUses, useId(file, holder), () => ({ file, holder }))
}

/** Notes that `holder` needs the bytes of the digest `file`, and puts them. */
export async function putUsed(
  parts: BytesParts,
  file: string,
  holder: string,
  bytes: Uint8Array,
): Promise<void> {
  await addUse(parts.store, file, holder)
  await putBytes(parts, file, bytes)
}

/** Puts the bytes of the digest `file`, whose use is noted, once nobody removes them any more. */
export async function putBytes(
  { blobs, removals }: Pick<KernelServices, 'blobs' | 'removals'>,
  file: string,
  bytes: Uint8Array,
): Promise<void> {
  await removals.settled(file)
  await blobs.put(bytes)
}

/**
 * Removes a use, and the bytes where nobody else needs them. Who may begin to need them again as the same holder changes
 * its record first, and then adds its uses: `mayDrop` says whether the record is still as it was.
 */
export async function dropUse(
  parts: BytesParts,
  file: string,
  holder: string,
  mayDrop: () => Promise<boolean> = async () => true,
): Promise<void> {
  const { store } = parts
  const use = await store.get(fileUses, useId(file, holder))
  if (!(await mayDrop())) return
  if (use) await store.remove(fileUses, use.id, use.revision)
  if (!(await isUsed(store, file))) await removeUnused(parts, file)
}

/**
 * Removes a use whose holder was given up while its bytes were on their way. The use and the bytes may come after this,
 * and who puts them may be killed before it drops them itself: so this is done once more, `APP_FILE_WRITE_MS` later.
 */
export async function dropArriving(parts: BytesParts, file: string, holder: string): Promise<void> {
  const { clock, limits, store } = parts
  const due_at = clock.now() + limits.APP_FILE_WRITE_MS
  await store.insert(lateUses, useId(file, holder), { file, holder, due_at })
  await dropUse(parts, file, holder)
}

/** Removes a use by who put its bytes, or tried to: nothing comes after this. */
export async function dropOwnUse(parts: BytesParts, file: string, holder: string): Promise<void> {
  await dropUse(parts, file, holder)
  await update(parts.store, lateUses, useId(file, holder), () => REMOVE)
}

/** Drops what is due to be dropped once more, and finishes the removals of hosts that ended meanwhile. */
export async function finishDrops(parts: BytesParts): Promise<void> {
  const { clock, limits, removals, store } = parts
  const due = each(store, lateUses, 'dueAt', { to: clock.now(), limit: limits.CLEAN_RECORDS_MAX })
  await eachSettled(due, async ({ id, revision, row }) => {
    await dropUse(parts, row.file, row.holder)
    await store.remove(lateUses, id, revision)
  })
  for await (const file of removals.leftOver()) await removeUnused(parts, file)
}

async function removeUnused({ blobs, removals, store }: BytesParts, file: string): Promise<void> {
  await removals.run(file, async ({ checkOwn }) => {
    if (await isUsed(store, file)) return
    await checkOwn()
    await blobs.remove(file)
  })
}

async function isUsed(store: Store, file: string): Promise<boolean> {
  return (await store.scan(fileUses, 'byFile', { eq: [file], limit: 1 })).rows.length > 0
}
