import { errorBody, refuse } from '@svc/contract'
import { isInline } from '../../kernel/media.ts'
import type { KernelServices } from '../../kernel/services.ts'
import { blobPieces, madePieces, type Pieces } from '../app-files/pieces.ts'
import { files } from './file.ts'

/** An answer to a request for a file; `HEAD` sends it without the body. */
export interface FileReply {
  readonly status: 200 | 404
  readonly headers: Readonly<Record<string, string>>
  readonly body: Pieces
}

/** Any page may show a file; none can be made to run one, or to take it for something else. */
const walls = {
  'access-control-allow-origin': '*',
  'cross-origin-resource-policy': 'cross-origin',
  'x-content-type-options': 'nosniff',
  'content-security-policy': "sandbox; default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
} as const

/** No cache shows a file that was deleted: it asks again each time. */
const ASKED_AGAIN = 'private, no-cache'

const missingBody = madePieces(
  Buffer.from(JSON.stringify({ error: errorBody(refuse('not_found', 'there is no such file')) })),
)

const missing: FileReply = {
  status: 404,
  headers: { ...walls, 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' },
  body: missingBody,
}

/** Serves `GET files/{file_ref}`: public to whoever knows the name, once it is confirmed. */
export async function serveFile(
  { blobs, store }: Pick<KernelServices, 'blobs' | 'store'>,
  fileRef: string,
): Promise<FileReply> {
  const record = await store.get(files, fileRef)
  if (record?.row.state !== 'ready' || record.row.digest === null) return missing
  const { digest, mime, filename, size_bytes } = record.row
  const body = await blobPieces(blobs, digest, size_bytes)
  if (!body) return missing
  const headers = {
    ...walls,
    'content-type': mime.startsWith('text/') ? `${mime}; charset=utf-8` : mime,
    'content-disposition': disposition(isInline(mime), filename),
    'cache-control': ASKED_AGAIN,
  }
  return { status: 200, headers, body }
}

/** RFC 6266; the name percent-encoded as RFC 8187 wants it, so that no character of it ends the header. */
function disposition(inline: boolean, filename: string | null): string {
  const kind = inline ? 'inline' : 'attachment'
  if (filename === null) return kind
  const name = encodeURIComponent(filename).replace(
    /['()*]/g,
    (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `${kind}; filename*=UTF-8''${name}`
}
