import { isUtf8 } from 'node:buffer'
import { type ArgsOut, type Handlers, type Limits, type Methods, refuse, wrongArg } from '@svc/contract'
import { pause } from '@svc/node'
import {
  type AppFileRow,
  appFiles,
  type Content,
  changeAppFile,
  noSuchPath,
  readAppFile,
  statAppFile,
} from '../../data/app-files/app-file.ts'
import { dropReplacedBytes } from '../../data/app-files/drop.ts'
import { writeAppFile } from '../../data/app-files/write.ts'
import { checkScope, keyId, type Scope, scanSpace, spaceOf } from '../../data/storage/space.ts'
import { checkIfMatch } from '../../data/storage/value.ts'
import { decodeLongBase64 } from '../../kernel/base64.ts'
import { type JsonText, jsonInTurns } from '../../kernel/json.ts'
import type { CallContext } from './context.ts'

/** The text of a file of more than this is made in turns with others. */
const LONG_BYTES = 131_072

/** Handlers of `files.*`. */
export const files: Handlers<'files', CallContext, JsonText> = {
  async list({ prefix, cursor, limit, scope }, context) {
    const by = { prefix, after: cursor ?? null, limit }
    const { rows, next } = await scanSpace(context.services.store, appFiles, allowed(scope, context), by)
    return {
      items: rows.flatMap(({ row }) => (row.live ? [metadataOf(row, row.live)] : [])),
      next_cursor: next,
    }
  },

  async read({ path, scope, as }, context) {
    const { row, live, bytes } = await readAppFile(context.services, allowed(scope, context), path)
    const form = as ?? (live.is_text ? 'text' : 'bytes_b64')
    if (form === 'text' && !isUtf8(bytes))
      throw refuse('invalid_arg', `the file ${JSON.stringify(path)} is not text in UTF-8`, {
        hint: 'Read it as bytes_b64.',
      })
    const head = metadataOf(row, live)
    const encode = () => bytes.toString(form === 'text' ? 'utf8' : 'base64')
    if (bytes.length <= LONG_BYTES) return { ...head, [form]: encode() }
    await pause()
    const text = encode()
    await pause()
    return jsonInTurns({ ...head, [form]: text })
  },

  async write(args, context) {
    const { path, scope, if_match } = args
    const space = allowed(scope, context)
    const bytes = await bytesOf(args, context.services.limits)
    const isText = args.text !== undefined
    const { etag, generation } = await writeAppFile(context.services, {
      space,
      path,
      bytes,
      isText,
      ifMatch: if_match,
      userId: scope === 'app' ? context.userId : null,
      mime: args.mime ?? (isText ? 'text/plain' : 'application/octet-stream'),
    })
    return { etag, generation, size_bytes: bytes.length }
  },

  async delete({ path, scope, if_match }, context) {
    const { services } = context
    const id = keyId(allowed(scope, context), path)
    await changeAppFile(services.store, id, (row): AppFileRow => {
      if (if_match !== undefined) checkIfMatch(if_match, row?.live ? row.etag : null)
      if (!row?.live) throw noSuchPath(path)
      return {
        ...row,
        live: null,
        leaving: [...row.leaving, row.live],
        generation: row.generation + 1,
        updated_at: services.clock.now(),
      }
    })
    // What is not dropped here, the sweep finds.
    await dropReplacedBytes(services, id).catch(() => undefined)
    return { deleted: true }
  },

  async stat({ path, scope }, context) {
    const { row, live } = await statAppFile(context.services, allowed(scope, context), path)
    return metadataOf(row, live)
  },
}

/** The space that a call reaches, once its scope is granted. */
function allowed(scope: Scope, context: CallContext): string {
  checkScope(scope, context.install)
  return spaceOf(scope, context)
}

const metadataOf = ({ path, etag, generation, updated_at }: AppFileRow, { mime, size_bytes }: Content) => ({
  path,
  mime,
  size_bytes,
  etag,
  generation,
  updated_at: new Date(updated_at).toISOString(),
})

/** The bytes of a write. Errors: `invalid_arg`. */
async function bytesOf(
  { text, bytes_b64 = '' }: ArgsOut<Methods['files']['write']>,
  { APP_FILE_MAX_BYTES: max }: Pick<Limits, 'APP_FILE_MAX_BYTES'>,
): Promise<Buffer> {
  const name = text === undefined ? 'bytes_b64' : 'text'
  if (text !== undefined && !text.isWellFormed())
    throw wrongArg('text', 'must have no unpaired surrogate: UTF-8 cannot encode it')
  const bytes = text === undefined ? await decodeLongBase64(bytes_b64) : Buffer.from(text)
  if (!bytes) throw wrongArg('bytes_b64', 'must be base64 text with its padding')
  if (bytes.length > max)
    throw wrongArg(name, `must hold at most ${max} bytes, got ${bytes.length}`, {
      size: bytes.length,
      max,
      hint: 'Larger files go by upload.negotiate.',
    })
  return bytes
}
