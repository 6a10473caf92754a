import { collection, type Store } from '@svc/state'
import type { KernelServices } from '../../kernel/services.ts'

/**
 * That somebody needs some bytes: a bundle, or a file. Bytes are kept once for all who have them, and go with the
 * last of them. Who keeps bytes writes its own record first, then the use, then the bytes.
 */
export const fileUses = collection({
  name: 'file_uses',
  row: {} as { readonly file: string; readonly holder: string },
  indexes: { byFile: (row) => [row.file] },
})

const useId = (file: string, holder: string): string => `${file}\n${holder}`

/** Notes that `holder`, a bundle's digest or a file's id, needs the bytes of the digest `file`. Twice is harmless. */
export async function addUse(store: Store, file: string, holder: string): Promise<void> {
  await store.insert(fileUses, useId(file, holder), { file, holder })
}

/**
 * Removes a use; the bytes go when nobody else needs them. Whoever begins to need them meanwhile gets them back: the
 * same holder too, where `isBack` says so.
 */
export async function dropUse(
  { store, blobs }: Pick<KernelServices, 'store' | 'blobs'>,
  file: string,
  holder: string,
  isBack: () => Promise<boolean> = async () => false,
): Promise<void> {
  const isUsed = async () => (await store.scan(fileUses, 'byFile', { eq: [file], limit: 1 })).rows.length > 0
  const use = await store.get(fileUses, useId(file, holder))
  if (use) await store.remove(fileUses, use.id, use.revision)
  const bytes = await blobs.get(file)
  let isThere = true
  /** Until a look at the uses agrees with what was done last: others come and go while bytes are moved. */
  const settle = async () => {
    for (let used = await isUsed(); bytes && used !== isThere; used = await isUsed()) {
      await (used ? blobs.put(bytes) : blobs.remove(file))
      isThere = used
    }
  }
  await settle()
  if (await isBack()) await addUse(store, file, holder)
  await settle()
}
