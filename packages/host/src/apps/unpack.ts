import { isUtf8 } from 'node:buffer'
import { isDeeper, type Limits, refuse } from '@svc/contract'
import { readArchive } from '@svc/runner/archive'
import type { Push } from './apps.ts'

/** The name of the manifest at the root of an archive or folder; it is not a file of the bundle. */
const MANIFEST_NAME = 'manifest.json'

/** Reads an archive with `manifest.json` at its root into a push. Errors: `invalid_arg` where a rule is broken. */
export async function unpackPush(type: string, bytes: Buffer, limits: Limits): Promise<Push> {
  const { files } = await readArchive(type, bytes, limits)
  return pushOf(files, limits)
}

/** Takes the manifest out of the files of an archive or folder. Errors: `invalid_arg`. */
export function pushOf(all: ReadonlyMap<string, Uint8Array>, limits: Limits): Push {
  const files = new Map(all)
  const bytes = files.get(MANIFEST_NAME)
  if (!bytes)
    throw refuse('invalid_arg', `${MANIFEST_NAME} must be at the root, beside the files of the bundle`)
  files.delete(MANIFEST_NAME)
  if (!isUtf8(bytes)) throw refuse('invalid_arg', `${MANIFEST_NAME} must be UTF-8`)
  if (isDeeper(bytes, limits.BODY_DEPTH_MAX))
    throw refuse('invalid_arg', `${MANIFEST_NAME} must nest at most ${limits.BODY_DEPTH_MAX} levels deep`)
  try {
    return { manifest: JSON.parse(Buffer.from(bytes).toString('utf8')), files }
  } catch {
    throw refuse('invalid_arg', `${MANIFEST_NAME} must be JSON`)
  }
}
