import type { Collection } from '@svc/state'
import { bundles } from './apps/bundles.ts'
import { versions } from './catalog/records.ts'
import { appFiles } from './data/app-files/app-file.ts'
import { fileUses, lateUses } from './data/app-files/uses.ts'
import { files } from './data/uploads/file.ts'
import { removals } from './kernel/removals.ts'

/** The blobs that a row names, by their digests. */
export interface RowBlobs {
  /** Those that are there as long as the row is as it is. */
  readonly needs: readonly string[]
  /** Those that are on their way, or about to go. */
  readonly uses: readonly string[]
}

const digestsOf = (contents: readonly { readonly digest: string }[]) => contents.map(({ digest }) => digest)

function reference<Row>({ name }: Collection<Row>, blobsOf: (row: Row) => RowBlobs) {
  return [name, blobsOf as (row: never) => RowBlobs] as const
}

/** By the name of a collection, which blobs a row of it names: for whoever checks that all of them are there. */
export const blobReferences: Readonly<Record<string, (row: never) => RowBlobs>> = Object.fromEntries([
  reference(versions, (row) => ({ needs: digestsOf(Object.values(row.files)), uses: [] })),
  reference(bundles, (row) => ({ needs: [], uses: digestsOf(Object.values(row.files)) })),
  reference(appFiles, ({ live, arriving, leaving }) => ({
    needs: live === null ? [] : [live.digest],
    uses: digestsOf([...arriving, ...leaving]),
  })),
  reference(files, ({ state, digest }) => {
    const named = digest === null ? [] : [digest]
    return state === 'stored' || state === 'ready' ? { needs: named, uses: [] } : { needs: [], uses: named }
  }),
  reference(fileUses, ({ file }) => ({ needs: [], uses: [file] })),
  reference(lateUses, ({ file }) => ({ needs: [], uses: [file] })),
  reference(removals, ({ digest }) => ({ needs: [], uses: [digest] })),
])
