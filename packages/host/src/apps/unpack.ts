import { Refusal, refuse, wrongArg } from '@svc/contract'
import { readArchive } from '@svc/node/archive'
import { readObject } from '../kernel/body/body.ts'
import { readObjectApart } from '../kernel/threads/read-apart.ts'
import type { Push } from './apps.ts'
import type { AppServices } from './services.ts'

/** The name of the manifest at the root of an archive or folder; it is not a file of the bundle. */
const MANIFEST_NAME = 'manifest.json'

type Parts = Pick<AppServices, 'limits' | 'threads'>

/**
 * Reads an archive of a user with `manifest.json` at its root into a push. Errors: `invalid_arg` where a rule is broken.
 */
export async function unpackPush(
  type: string,
  bytes: Buffer,
  services: Parts,
  userId: string,
): Promise<Push> {
  const { files } = await readArchive(type, bytes, services.limits)
  return pushOf(files, services, userId)
}

/** Takes the manifest out of the files of an archive or folder. Errors: `invalid_arg`. */
export async function pushOf(
  all: ReadonlyMap<string, Uint8Array>,
  services: Parts,
  owner: string,
): Promise<Push> {
  const files = new Map(all)
  const bytes = files.get(MANIFEST_NAME)
  if (!bytes) throw wrongArg(MANIFEST_NAME, `must be at the root, beside the files of the bundle`)
  files.delete(MANIFEST_NAME)
  const { ROUTE_BODY_MAX_BYTES: max } = services.limits
  if (bytes.length > max) throw wrongArg(MANIFEST_NAME, `must have at most ${max} bytes, got ${bytes.length}`)
  return {
    manifest: await parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length), services, owner),
    files,
  }
}

/** Parses it as the JSON body of a route is parsed: a long one in another thread. */
async function parse(bytes: Buffer, { limits, threads }: Parts, owner: string): Promise<unknown> {
  try {
    if (bytes.length <= limits.BODY_APART_BYTES) return readObject(bytes, limits)
    return await readObjectApart(threads, owner, bytes, limits)
  } catch (error) {
    throw error instanceof Refusal
      ? refuse(error.code, `${MANIFEST_NAME}: ${error.message}`, error.details)
      : error
  }
}
