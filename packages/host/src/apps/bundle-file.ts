import { errorBody, refuse } from '@svc/contract'
import type { House } from '../house.ts'
import { type BundleRequest, bundlePolicy } from './bundle-policy.ts'
import { type BundleRow, bundles, fileOf } from './bundles.ts'
import { mediaTypeOf } from './media-type.ts'

/** An answer to a request for a bundle file, for any HTTP library; `HEAD` sends it without the body. */
export interface BundleReply {
  readonly status: 200 | 404
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
}

const DIGEST = /^[0-9a-f]{64}$/
/** What may stand in a policy as the origin of this request: it came with the request. */
const ORIGIN = /^https?:\/\/([a-z0-9.-]+|\[[0-9a-f:]+\])(:\d{1,5})?$/i
/** A year in seconds: the files of a digest never change. */
const FOREVER = 'public, max-age=31536000, immutable'

/**
 * Answers a bundle file (design §8, §9). `path` is the rest of the URL's path after the digest, still
 * percent-encoded; it is decoded once and looked up as a name, so no form of `..` leads anywhere.
 */
export async function bundleFile(
  house: Pick<House, 'store' | 'blobs' | 'settings'>,
  digest: string,
  path: string,
  request: BundleRequest,
): Promise<BundleReply> {
  const name = decode(path)
  if (name === null || !DIGEST.test(digest) || !ORIGIN.test(request.origin)) return missing
  const bundle = await house.store.get(bundles, digest)
  const file = bundle && fileOf(bundle.row.files, name)
  const body = file ? await house.blobs.get(file.digest) : null
  if (!bundle || !body) return missing
  return { status: 200, headers: headersOf(house, digest, name, bundle.row, body, request), body }
}

/** The name that a percent-encoded path means; `null` where an encoded separator or rubbish stands in it. */
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
  'x-content-type-options': 'nosniff',
  'cross-origin-resource-policy': 'cross-origin',
  'referrer-policy': 'no-referrer',
} as const

function headersOf(
  house: Pick<House, 'settings'>,
  digest: string,
  name: string,
  bundle: BundleRow,
  body: Uint8Array,
  request: BundleRequest,
) {
  return {
    ...walls,
    'content-type': mediaTypeOf(name),
    'content-length': String(body.length),
    'cache-control': FOREVER,
    'content-security-policy': bundlePolicy(house.settings, digest, bundle, request),
  }
}

const missingBody = Buffer.from(
  JSON.stringify({ error: errorBody(refuse('not_found', 'there is no such bundle file')) }),
)

const missing: BundleReply = {
  status: 404,
  headers: {
    ...walls,
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(missingBody.length),
    'cache-control': 'no-store',
    'content-security-policy': "sandbox; default-src 'none'",
  },
  body: missingBody,
}
