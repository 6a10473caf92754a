import { type BrowserPermission, errorBody, type Refusal, refuse } from '@svc/contract'
import { isSecretPath } from '@svc/node/archive'
import { getMimeType } from 'hono/utils/mime'
import { permitted } from '../access/manifest.ts'
import { fileOf, installId } from '../catalog/records.ts'
import { statusAt, type WindowRecord } from '../catalog/window-row.ts'
import { blobPieces, madePieces, type Pieces } from '../data/app-files/pieces.ts'
import { labelOf } from '../kernel/request/bundle-origin.ts'
import type { BundleAddress } from '../windows/bundle-url.ts'
import { type BundleRequest, bundlePolicy, policyInside } from './bundle-policy.ts'
import { type BundleRow, bundles } from './bundles.ts'
import { type DevSource, developedFile, type ServedFile } from './dev-source.ts'
import { documentPieces } from './document-pieces.ts'
import type { AppServices } from './services.ts'

/** Content types that Hono's list does not have, by the ending of a name. */
const others: ReadonlyMap<string, string> = new Map([
  ['ogg', 'audio/ogg'],
  ['m4a', 'audio/mp4'],
  ['flac', 'audio/flac'],
  ['wav', 'audio/wav'],
  ['m4v', 'video/mp4'],
  ['mov', 'video/quicktime'],
  ['vtt', 'text/vtt; charset=utf-8'],
  ['md', 'text/markdown; charset=utf-8'],
])

/** The content type of a file by the ending of its name; anything unknown is plain bytes. */
export function mediaTypeOf(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase()
  const type =
    getMimeType(name) ?? others.get(name.slice(name.lastIndexOf('.') + 1)) ?? 'application/octet-stream'
  return type.endsWith('json') ? `${type}; charset=utf-8` : type
}

/** What a request shows to be the document of a window. */
export interface DocumentRequest extends Pick<BundleAddress, 'ticket' | 'ticketInPath'> {
  /** The label of the app whose origin it came to; `null` where this host has none; `''`: it came to none, and should. */
  readonly label: string | null
}

/** A window that was closed while its frame loads still gets its document: the page is told by an event, and not by `403`. */
function isThere({ row }: WindowRecord, now: number, limits: AppServices['limits']): boolean {
  if (row.closed_at !== null) return now < row.closed_at + limits.FRAME_LOAD_MS
  return statusAt(row, now, limits) !== 'closed'
}

/**
 * The window that a document is for: open or just closed, of the app at whose origin it is asked for, and with a ticket for just this
 * bundle; else `null`. The policy of a document may depend on it: `row.user_id` and `row.app_id` name the install.
 */
async function windowOfDocument(
  services: Pick<AppServices, 'tickets' | 'copies' | 'clock' | 'limits'>,
  digest: string,
  { ticket, label }: DocumentRequest,
): Promise<WindowRecord | null> {
  const uuid = ticket === null ? null : services.tickets.read(ticket, digest)
  const window = uuid === null ? null : await services.copies.windows.get(uuid)
  if (!window || !isThere(window, services.clock.now(), services.limits)) return null
  return label === null || label === labelOf(window.row.app_id) ? window : null
}

/** What a document may do besides what each may: origins to fetch from and to load images from, and what it may ask of the browser. */
export interface Granted {
  readonly connect_src: readonly string[]
  readonly img_src: readonly string[]
  readonly browser: readonly BrowserPermission[]
}

const nothing: Granted = { connect_src: [], img_src: [], browser: [] }

/** What the user of a window allowed its app, of what the bundle's manifest names; nothing without a window. */
async function grantedTo(
  services: Pick<AppServices, 'copies'>,
  bundle: BundleRow,
  window: WindowRecord | null,
): Promise<Granted> {
  const install =
    window && (await services.copies.installs.get(installId(window.row.user_id, window.row.app_id)))
  const version = window && (await services.copies.versions.get(window.row.version_id))
  if (!install || !version) return nothing
  const { connect_src = [], img_src = [] } = install.row.grants
  return {
    connect_src: bundle.connect_src.filter((one) => connect_src.includes(one)),
    img_src: bundle.img_src.filter((one) => img_src.includes(one)),
    browser: permitted(version.row.manifest, install.row.grants),
  }
}

/** An answer to a request for a bundle file, for any HTTP library; `HEAD` sends it without the body. */
export interface BundleReply {
  readonly status: 200 | 403 | 404 | 500
  readonly headers: Readonly<Record<string, string>>
  readonly body: Pieces
}

const DIGEST = /^[0-9a-f]{64}$/
/** What may be in a policy as the origin of this request: it came with the request. */
const ORIGIN = /^https?:\/\/([a-z0-9.-]+|\[[0-9a-f:]+\])(:\d{1,5})?$/i
/** A year in seconds: the files of a digest never change. */
const FOREVER = 'public, max-age=31536000, immutable'

/** The types that a browser shows as a document of the app; what loads them as a part of one names another mode. */
const documents = /^(text\/html|[a-z]+\/([a-z.-]+\+)?xml)\b/

/** A document that would have no prelude is shown as its text: scripts run in any kind of XML. */
const shownAs = (type: string) => (type.startsWith('text/html') ? type : 'text/plain; charset=utf-8')

/**
 * Serves a bundle file. `path` is the rest of the URL's path after the digest, still percent-encoded; it is decoded
 * once and looked up as a name, so no form of `..` leads anywhere. A document is answered to the window alone whose
 * ticket the URL carries.
 */
export async function bundleFile(
  services: FileServices,
  digest: string,
  path: string,
  request: BundleRequest,
): Promise<BundleReply> {
  const name = decode(path)
  if (name === null || !DIGEST.test(digest) || !ORIGIN.test(request.origin)) return missing
  // What serves an app in development serves its whole folder.
  const bundle = isSecretPath(name) ? null : await services.store.get(bundles, digest)
  if (!bundle) return missing
  const dev = services.apps.devSource(bundle.row.app_id)
  const file = dev
    ? await developedFile(dev, services, digest, path, request)
    : await keptFile(services, bundle.row, name)
  if (!file) return missing
  const { status } = file
  const shows = isDocument(file.type, request.mode)
  const window = shows ? await windowOfDocument(services, digest, request) : null
  if (shows && !window) return stray
  const type = shows ? shownAs(file.type) : file.type
  const bytes = await file.bytes()
  const granted = withDev(await grantedTo(services, bundle.row, window), dev)
  const policies = bundlePolicy(services.settings, digest, type, granted, request)
  const policy = policyInside(policies['content-security-policy'] ?? '')
  const shown = window && { windowUuid: window.id, browser: granted.browser, policy }
  // What a script reads is never shown as a document.
  const body = bytes && shown && type.startsWith('text/html') ? await documentPieces(bytes, shown) : bytes
  if (!body) return missing
  const headers = {
    ...walls,
    'content-type': type,
    // A document is of one window, and a file of development is as it is now; all else is the same for everybody, for ever.
    'cache-control': window || dev || type.startsWith('text/html') ? 'no-store' : FOREVER,
    // A page of another origin reads from it whether the document came into its frame.
    'timing-allow-origin': '*',
    ...(documents.test(file.type) && { vary: 'sec-fetch-mode' }),
    ...policies,
  }
  return { status, headers, body }
}

type FileServices = Pick<
  AppServices,
  'apps' | 'store' | 'blobs' | 'settings' | 'tickets' | 'copies' | 'clock' | 'limits'
>

/** A file as it was pushed. */
async function keptFile(
  { blobs }: Pick<AppServices, 'blobs'>,
  { files }: BundleRow,
  name: string,
): Promise<ServedFile | null> {
  const file = fileOf(files, name)
  return file
    ? { status: 200, type: mediaTypeOf(name), bytes: () => blobPieces(blobs, file.digest, file.size) }
    : null
}

/** Whoever develops an app has its documents told of each change. */
const withDev = (granted: Granted, dev: DevSource | null): Granted => ({
  ...granted,
  connect_src: [...granted.connect_src, ...(dev?.connect ?? [])],
})

/** Whether a file is asked for as a document. Where the client does not say, HTML is. */
const isDocument = (type: string, mode: string | null) =>
  mode === null ? type.startsWith('text/html') : mode === 'navigate' && documents.test(type)

/** The name that a percent-encoded path means; `null` if it holds an encoded separator or is malformed. */
function decode(path: string): string | null {
  if (/%2f|%5c|%00/i.test(path)) return null
  try {
    return decodeURIComponent(path)
  } catch {
    return null
  }
}

const walls = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': '*',
  'x-content-type-options': 'nosniff',
  'cross-origin-resource-policy': 'cross-origin',
  // Else a page that has a policy for what it embeds shows no document, a refusal included.
  'cross-origin-embedder-policy': 'require-corp',
  'referrer-policy': 'no-referrer',
} as const

const refused = (status: 403 | 404, refusal: Refusal): BundleReply => {
  const body = madePieces(Buffer.from(JSON.stringify({ error: errorBody(refusal) })))
  return {
    status,
    headers: {
      ...walls,
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
      'content-security-policy': "sandbox; default-src 'none'",
    },
    body,
  }
}

const missing = refused(404, refuse('not_found', 'there is no such bundle file'))

const stray = refused(
  403,
  refuse(
    'permission_denied',
    'this page of an app can be opened only in its own open window, and only the entry page',
    {
      denied_by: 'window',
      hint: 'If a link of the app led here, set ui.bundle.multi_page to true in its manifest. Otherwise open the app again to get the URL of its window.',
    },
  ),
)
