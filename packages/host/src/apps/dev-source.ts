import { madePieces, type Pieces } from '../data/app-files/pieces.ts'
import { bundleFolder } from '../windows/bundle-url.ts'
import type { BundleRequest } from './bundle-policy.ts'
import type { AppServices } from './services.ts'

/** A request for a file of an app, as what serves it while it is developed gets it. */
export interface DevRequest {
  /** The path within the bundle, still percent-encoded, such as `src/main.ts`. */
  readonly path: string
  /** The query with its `?`, or `''`. */
  readonly search: string
  /** The path of the folder that the bundle is served from, with a `/` at both ends: what absolute imports begin with. */
  readonly folder: string
  /** The `Accept` of the request; `null`: it has none. */
  readonly accept: string | null
}

/** A file of an app that is developed. */
export interface DevFile {
  /** `500`: it cannot be compiled. */
  readonly status: 200 | 500
  /** Its content type. */
  readonly type: string
  /** Its content. */
  readonly bytes: Uint8Array
}

/** Serves the files of an app while somebody develops it (docs/decisions/0135-hot-updates.md). */
export interface DevSource {
  /** What its documents may connect to besides, as sources of a policy: `ws://127.0.0.1:5173`. */
  readonly connect: readonly string[]
  /** Returns a file as it is now; `null`: there is none. */
  read(request: DevRequest): Promise<DevFile | null>
}

/** A file of a bundle with what is to be sent of it. */
export interface ServedFile {
  readonly status: DevFile['status']
  readonly type: string
  /** Its bytes; `null`: they have gone. */
  readonly bytes: () => Promise<Pieces | null>
}

/** The file that a source of development has at a path. */
export async function developedFile(
  source: DevSource,
  { settings }: Pick<AppServices, 'settings'>,
  digest: string,
  path: string,
  { search, accept }: BundleRequest,
): Promise<ServedFile | null> {
  const file = await source.read({ path, search, folder: bundleFolder(settings.basePath, digest), accept })
  return file && { status: file.status, type: file.type, bytes: async () => madePieces(file.bytes) }
}
