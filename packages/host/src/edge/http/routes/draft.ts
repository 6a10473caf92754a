import { refuse, wrongArg } from '@svc/contract'
import { inTurns } from '@svc/node'
import { archiveTypes, shown } from '@svc/node/archive'
import type { Push } from '../../../apps/apps.ts'
import { unpackPush } from '../../../apps/push-input.ts'
import { decodeLongBase64 } from '../../../kernel/base64.ts'
import { type LongReading, mediaTypeOf, readBytes, readLongJson, wrongType } from './body.ts'

const JSON_TYPE = 'application/json'
/** Files that are decoded before others have their turn. */
const TURN_FILES = 100
/** A file in JSON is two texts and a comma. */
const PARTS_PER_FILE = 3
/** Bytes of a path in JSON, each of them escaped. */
const ESCAPED_BYTES = 6

/**
 * Reads the body of a push: an archive of manifest.json and the bundle, or JSON
 * `{manifest, files: {path: base64}}`. Errors: `invalid_arg` (413, 415 where it is the size or the type).
 */
export async function readPush(request: Request, parts: Omit<LongReading, 'maxBytes'>): Promise<Push> {
  const { limits } = parts.services
  const maxBytes = limits.DRAFT_BODY_MAX_BYTES
  const type = mediaTypeOf(request)
  if (type === JSON_TYPE) {
    const { manifest, files } = await readLongJson(request, {
      ...parts,
      maxBytes,
      caps: {
        maxBytes,
        maxParts: limits.LONG_BODY_PARTS_MAX + PARTS_PER_FILE * limits.ARCHIVE_ENTRIES_MAX,
        maxTextBytes: maxBytes,
        maxNameBytes: ESCAPED_BYTES * limits.ARCHIVE_NAME_MAX_BYTES,
        inBytes: 'files',
      },
    })
    return { manifest, files: await readFiles(files) }
  }
  if (!archiveTypes.includes(type)) throw wrongType(request, [JSON_TYPE, ...archiveTypes])
  return unpackPush(type, await readBytes(request, maxBytes), parts.services, parts.userId)
}

async function readFiles(given: unknown): Promise<Map<string, Uint8Array>> {
  if (given === undefined) return new Map()
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    throw wrongArg('files', 'must be an object of paths and base64 text')
  const files = new Map<string, Uint8Array>()
  for await (const [path, text] of inTurns(Object.entries(given), TURN_FILES))
    files.set(path, await decode(path, text))
  return files
}

async function decode(path: string, text: unknown): Promise<Uint8Array> {
  const bytes = isText(text) ? await decodeLongBase64(text) : null
  if (!bytes) throw refuse('invalid_arg', `files[${shown(path)}] must be base64 text with its padding`)
  return bytes
}

const isText = (value: unknown): value is string | Uint8Array =>
  typeof value === 'string' || value instanceof Uint8Array
