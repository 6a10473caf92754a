import type { KernelServices } from '../../kernel/services.ts'
import { keyId } from '../storage/scope.ts'
import { type AppFileRow, appFiles, type Content, noSuchPath } from './app-file-row.ts'

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
    if (before === found.live.write_id) throw new Error('the bytes of a file are not there')
    before = found.live.write_id
  }
}
