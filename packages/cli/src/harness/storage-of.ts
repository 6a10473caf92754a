import type { Project } from '../project/project.ts'
import type { StorageBackend } from '../project/svc-key.ts'
import { failure } from '../terminal/failure.ts'

/** A host has one storage: the one that any of its apps asks for. Errors: `config`, when two ask for different ones. */
export function storageOf(apps: readonly Project[]): StorageBackend {
  const asking = apps.filter(({ storage }) => storage !== undefined)
  const [first] = asking
  const other = asking.find(({ storage }) => storage !== first?.storage)
  if (first && other)
    throw failure(
      'config',
      `${first.name} asks for svc.storage ${first.storage}, ${other.name} for ${other.storage}`,
      'Start them apart, or choose with --storage.',
    )
  return first?.storage ?? 'window-state'
}
