import { type Limits, refuse } from '@svc/contract'
import { archiveTypes, shown } from '@svc/runner/archive'
import type { Push } from '../../apps/apps.ts'
import { unpackPush } from '../../apps/unpack.ts'
import { decodeBase64 } from '../../base64.ts'
import { mediaTypeOf, readBytes, readJson, wrongType } from './body.ts'

const JSON_TYPE = 'application/json'

/**
 * Reads the body of a push: an archive of manifest.json and the bundle, or JSON
 * `{manifest, files: {path: base64}}`. Errors: `invalid_arg` (413, 415 where it is the size or the type).
 */
export async function readPush(request: Request, limits: Limits): Promise<Push> {
  const type = mediaTypeOf(request)
  if (type === JSON_TYPE) {
    const { manifest, files } = await readJson(request, limits, limits.DRAFT_BODY_MAX_BYTES)
    return { manifest, files: readFiles(files) }
  }
  if (!archiveTypes.includes(type)) throw wrongType(request, [JSON_TYPE, ...archiveTypes])
  return unpackPush(type, await readBytes(request, limits.DRAFT_BODY_MAX_BYTES), limits)
}

function readFiles(files: unknown): Map<string, Uint8Array> {
  if (files === undefined) return new Map()
  if (typeof files !== 'object' || files === null || Array.isArray(files))
    throw refuse('invalid_arg', 'files must be an object of paths and base64 text')
  return new Map(Object.entries(files).map(([path, text]) => [path, decode(path, text)]))
}

function decode(path: string, text: unknown): Uint8Array {
  const bytes = typeof text === 'string' ? decodeBase64(text) : null
  if (!bytes) throw refuse('invalid_arg', `files[${shown(path)}] must be base64 text with its padding`)
  return bytes
}
