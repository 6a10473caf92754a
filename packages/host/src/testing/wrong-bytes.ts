import { each, type Store } from '@svc/state'
import { bundles } from '../apps/bundles.ts'
import { versions } from '../catalog/records.ts'
import { appFiles } from '../data/app-files/app-file.ts'
import { fileUses } from '../data/app-files/uses.ts'
import { files } from '../data/uploads/file.ts'
import { removals } from '../kernel/removals.ts'

const useOf = (digest: string, holder: string) => `${digest} of ${holder}`

/** What records say of bytes. */
async function readRecords(store: Store) {
  /** Records that may have uses, and uses that there must be. */
  const holders = new Set<string>()
  const needed = new Map<string, string>()
  const need = (digest: string, holder: string) => needed.set(useOf(digest, holder), digest)
  for await (const { row } of each(store, versions, 'byApp'))
    for (const { digest } of Object.values(row.files)) need(digest, row.digest)
  for await (const { id } of each(store, bundles, 'usedAt')) holders.add(id)
  for await (const { id, row } of each(store, files, 'byOwner')) {
    holders.add(id)
    if (row.digest !== null && (row.state === 'stored' || row.state === 'ready')) need(row.digest, id)
  }
  for await (const { row } of each(store, appFiles, 'bySpace')) {
    for (const { write_id } of [...row.arriving, ...row.leaving]) holders.add(write_id)
    if (!row.live) continue
    holders.add(row.live.write_id)
    need(row.live.digest, row.live.write_id)
  }
  return { holders, needed }
}

/**
 * What is wrong with the bytes that a host keeps by their digests, where nothing is under way: bytes or a use that a
 * record needs and that is missing, bytes that nobody uses, uses whose holder is gone, removals that nobody finished.
 */
export async function wrongBytes(store: Store, kept: ReadonlyMap<string, Uint8Array>): Promise<string[]> {
  const { holders, needed } = await readRecords(store)
  const wrong: string[] = []
  const used = new Set<string>()
  const uses = new Set<string>()
  for await (const { row } of each(store, fileUses, 'byFile')) {
    used.add(row.file)
    uses.add(useOf(row.file, row.holder))
    if (!holders.has(row.holder)) wrong.push(`a use without its holder: ${useOf(row.file, row.holder)}`)
  }
  for (const [use, digest] of needed) {
    if (!uses.has(use)) wrong.push(`a use is missing: ${use}`)
    if (!kept.has(digest)) wrong.push(`bytes are missing: ${use}`)
  }
  for (const digest of kept.keys()) if (!used.has(digest)) wrong.push(`bytes that nobody uses: ${digest}`)
  for await (const { id } of each(store, removals, 'byDigest')) wrong.push(`a removal is unfinished: ${id}`)
  return wrong
}
