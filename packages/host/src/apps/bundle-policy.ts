import type { Settings } from '../house.ts'
import { paths } from '../http/paths.ts'
import { bundleFolder } from './bundle-url.ts'
import type { BundleRow } from './bundles.ts'

/** Where a request for a bundle file came to, and who may frame the answer. */
export interface BundleRequest {
  /** The origin that the request came to, such as `http://127.0.0.1:8787`. */
  readonly origin: string
  /** Origins of the pages that may frame a bundle. */
  readonly pages: readonly string[]
}

/**
 * The policy of a bundle file (design §8): opaque even in a tab of its own, and nothing but the files of its
 * own folder, the host's public files and uploads, and what the manifest declares.
 */
export function bundlePolicy(
  settings: Pick<Settings, 'bundleOrigin' | 'origins'>,
  digest: string,
  bundle: BundleRow,
  { origin, pages }: BundleRequest,
): string {
  const folder = bundleFolder(settings.bundleOrigin ?? origin, digest)
  const hosts = settings.bundleOrigin === null ? [origin] : settings.origins
  const under = (path: string) => hosts.map((host) => host + path)
  const directives: readonly (readonly [name: string, sources: readonly string[]])[] = [
    ['sandbox', ['allow-scripts']],
    ['default-src', ["'none'"]],
    ['script-src', [folder]],
    ['style-src', [folder, "'unsafe-inline'"]],
    ['img-src', [folder, ...under(paths.files), 'data:', 'blob:', ...bundle.img_src]],
    ['connect-src', [...under(paths.uploads), ...bundle.connect_src]],
    ['form-action', ["'none'"]],
    ['frame-src', ["'none'"]],
    ['frame-ancestors', pages],
  ]
  return directives
    .map(([name, sources]) => [name, ...(sources.length > 0 ? sources : ["'none'"])].join(' '))
    .join('; ')
}
