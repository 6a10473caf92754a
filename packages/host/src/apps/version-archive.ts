import type { Manifest } from '@svc/contract'
import { tarPieces } from '@svc/node/archive'
import type { Pieces } from '../data/app-files/pieces.ts'
import { findVersion, noSuchApp, ownApp } from './own-app.ts'
import { MANIFEST_NAME } from './push-input.ts'
import type { AppNeeds } from './services.ts'

/** A longer manifest is written in one line: deep lists with an indent would be longer than what a push takes. */
const INDENTED_MAX_CHARS = 8_192

function manifestText(manifest: Manifest): string {
  const line = JSON.stringify(manifest)
  return line.length > INDENTED_MAX_CHARS ? line : JSON.stringify(manifest, null, 2)
}

/**
 * What was pushed as a version of an app of its owner, as an archive that a push takes. The manifest is written anew
 * from what the host read; a file of the bundle that has its name is left out, as where an archive is pushed. Bytes that
 * go meanwhile, because the draft was replaced or the app was deleted, cut the archive off. Errors: `not_found`.
 */
export async function versionArchive(
  services: AppNeeds,
  userId: string,
  appId: string,
  version: string,
): Promise<Pieces> {
  await ownApp(services, userId, appId)
  const found = await findVersion(services, appId, version)
  if (!found) throw noSuchApp(appId, version)
  const { manifest, files } = found.row
  const text = Buffer.from(`${manifestText(manifest)}\n`)
  const written = {
    path: MANIFEST_NAME,
    size: text.length,
    slice: async (from: number, to: number) => text.subarray(from, to),
  }
  const bundle = Object.entries(files)
    .filter(([path]) => path !== MANIFEST_NAME)
    .map(([path, { digest, size }]) => ({
      path,
      size,
      slice: (from: number, to: number) => services.blobs.slice(digest, from, to),
    }))
  return { ...tarPieces([written, ...bundle]), etag: null }
}
