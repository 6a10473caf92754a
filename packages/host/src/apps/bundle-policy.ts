import { isOriginPattern } from '../kernel/request/bundle-origin.ts'
import { paths } from '../kernel/request/paths.ts'
import type { Settings } from '../kernel/services.ts'
import { bundleFolder } from '../windows/bundle-url.ts'
import type { DocumentRequest, Granted } from './bundle-file.ts'
import { preludeHash } from './prelude.ts'

/**
 * Features of a browser that no bundle gets, by their names in `Permissions-Policy`: devices, sensors, payment,
 * sign-in, the clipboard and the screen, and those that send something (advertising, deferred requests).
 */
const denied = [
  'accelerometer',
  'browsing-topics',
  'camera',
  'captured-surface-control',
  'clipboard-read',
  'compute-pressure',
  'deferred-fetch',
  'deferred-fetch-minimal',
  'digital-credentials-create',
  'digital-credentials-get',
  'display-capture',
  'encrypted-media',
  'geolocation',
  'gyroscope',
  'hid',
  'identity-credentials-get',
  'idle-detection',
  'keyboard-map',
  'local-fonts',
  'local-network-access',
  'magnetometer',
  'microphone',
  'midi',
  'otp-credentials',
  'payment',
  'private-state-token-issuance',
  'private-state-token-redemption',
  'publickey-credentials-create',
  'publickey-credentials-get',
  'screen-wake-lock',
  'serial',
  'speaker-selection',
  'storage-access',
  'usb',
  'window-management',
  'xr-spatial-tracking',
] as const

/** The `Permissions-Policy` of the documents of a bundle, and of the page around them. */
export const bundleFeatures = denied.map((name) => `${name}=()`).join(', ')

/** Where a request for a bundle file came to, and who may frame the answer. */
export interface BundleRequest extends DocumentRequest {
  /** The origin that the request came to, such as `http://127.0.0.1:8787`. */
  readonly origin: string
  /** Origins that it may have come to besides: what is before the host may have rewritten its `Host`. */
  readonly also?: readonly string[]
  /** Origins of the pages that may frame a bundle. */
  readonly pages: readonly string[]
  /** The `Sec-Fetch-Mode` of the request; `null` where its client sends none. */
  readonly mode: string | null
  /** The query of the URL with its `?`, or `''`. */
  readonly search: string
  /** The `Accept` of the request; `null`: it has none. */
  readonly accept: string | null
}

/** What the bridge of an isolated page adds to the query of an entry. */
const ISOLATED = /[?&]isolated(&|$)/

/** The policy of a file that is not an HTML document: nothing of it runs or loads where it is shown as one. */
const inert = {
  'content-security-policy': "sandbox; default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'",
  'connection-allowlist': '()',
} as const

/** What of a policy a document can have in itself: it holds too where something on the way takes the header or puts its own in place. */
export const policyInside = (policy: string): string =>
  policy
    .split('; ')
    .filter((one) => !/^(sandbox|frame-ancestors|report-uri) /.test(one))
    .join('; ')

/**
 * The headers that wall in a bundle file. An HTML document is opaque even in a tab of its own, and reaches nothing but
 * the files of its own folder, the host's public files and uploads, and the origins of `granted`. Every other file is
 * inert where it is shown as a document.
 *
 * `Connection-Allowlist` says in the browser's network layer what the policy says of requests. It also stops what no
 * policy governs: WebRTC, early connections, and navigations before they are refused. Other browsers pass it over.
 */
export function bundlePolicy(
  settings: Pick<Settings, 'bundleOrigin' | 'basePath' | 'origins' | 'frameAncestors'>,
  digest: string,
  type: string,
  granted: Granted,
  { origin, also = [], pages, label, ticket, ticketInPath, search }: BundleRequest,
): Readonly<Record<string, string>> {
  if (!type.startsWith('text/html')) return inert
  const { basePath, bundleOrigin } = settings
  const isSecond = bundleOrigin !== null && !isOriginPattern(bundleOrigin)
  const own = isSecond ? bundleOrigin : origin
  const all = isSecond ? [own] : [...new Set([own, ...also])]
  const folders = [digest, ...(ticketInPath ? [`${digest}~${ticket}`] : [])].flatMap((name) =>
    all.map((one) => bundleFolder(one + basePath, name)),
  )
  const hosts = label ? pages : isSecond ? settings.origins : all
  const under = (path: string) => hosts.map((host) => host + basePath + path)
  const directives: readonly (readonly [name: string, sources: readonly string[]])[] = [
    // What a browser takes for a question of the page; the prelude leaves `print` of it.
    [
      'sandbox',
      ['allow-scripts', 'allow-forms', ...(granted.browser.includes('print') ? ['allow-modals'] : [])],
    ],
    ['default-src', ["'none'"]],
    ['script-src', [...folders, preludeHash, "'wasm-unsafe-eval'"]],
    // Firefox judges by it what a module in a worker imports.
    ['worker-src', ['blob:', ...folders]],
    ['style-src', [...folders, "'unsafe-inline'"]],
    ['img-src', [...folders, ...under(paths.files), 'data:', 'blob:', ...granted.img_src]],
    ['font-src', [...folders, 'data:']],
    ['media-src', [...folders, ...under(paths.files), 'data:', 'blob:']],
    ['connect-src', [...folders, ...under(paths.uploads), 'data:', 'blob:', ...granted.connect_src]],
    ['form-action', ["'none'"]],
    ['frame-src', ["'none'"]],
    ['base-uri', ["'none'"]],
    ['require-trusted-types-for', ["'script'"]],
    ['trusted-types', ['default']],
    // Each of the pages around the document is judged by it.
    ['frame-ancestors', [...pages, ...settings.frameAncestors]],
    // At the origin of the document, which it may reach in any case; the bundle has no say in it.
    ['report-uri', [basePath + paths.reports]],
  ]
  // Chromium compares a WebSocket by the address of the request that begins it.
  const sockets = granted.connect_src.map((one) => one.replace(/^ws(?=s?:)/, 'http'))
  const others = new Set([...hosts, ...sockets, ...granted.img_src])
  for (const one of all) others.delete(one)
  return {
    'content-security-policy': directives
      .map(([name, sources]) => [name, ...(sources.length > 0 ? sources : ["'none'"])].join(' '))
      .join('; '),
    'connection-allowlist': `(${['response-origin', ...[...others].map((one) => `"${one}"`)].join(' ')})`,
    'permissions-policy': bundleFeatures,
    // What WebKit takes for no policy. With the other one it starts no worker, and images of other sites rarely say that
    // they may be embedded; but it alone suits a page of WebKit that has a policy itself.
    'cross-origin-embedder-policy':
      ISOLATED.test(search) && granted.img_src.length === 0 ? 'require-corp' : 'credentialless',
    // Firefox looks up the hosts of links early, and of `<link rel=dns-prefetch>`.
    'x-dns-prefetch-control': 'off',
  }
}
