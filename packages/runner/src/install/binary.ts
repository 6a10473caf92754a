import { createHash } from 'node:crypto'
import type { Distribution } from '@svc/contract'
import type { Limits } from '@svc/contract/limits'
import type { PublicFetch } from '@svc/node/public-fetch'
import { fillWith } from './fill.ts'
import type { InstallMethod } from './install-method.ts'
import { fault, withFault } from './problem.ts'
import { archiveType, unpackInto } from './unpack.ts'

type Binary = Extract<Distribution, { type: 'binary' }>

/** The platform of this machine, as distributions call it. */
export const platform = `${process.platform}-${process.arch}`

/** How a download is installed: the URL of this platform by the rule for URLs, its digest checked as it comes. */
export function binaryMethod(
  { urls, executable_name }: Binary,
  { fetch, limits }: { readonly fetch: PublicFetch; readonly limits: Limits },
): InstallMethod {
  const from = urls[platform]
  if (!from)
    throw fault(
      'platform_missing',
      `it has no binary for ${platform}, only for ${Object.keys(urls).join(', ')}`,
    )
  const label = `its URL for ${platform}`
  const type = archiveType(URL.parse(from.url)?.pathname ?? '')
  return {
    identity: [from.sha256, type ?? '', executable_name],
    async fill(folder, signal) {
      const url = await withFault('url_refused', async () => fetch.judge(from.url, label))
      const hash = createHash('sha256')
      const { bytes } = await fetch.get(url, {
        label,
        signal,
        maxBytes: limits.INSTALL_DOWNLOAD_MAX_BYTES,
        onBytes: (chunk) => hash.update(chunk),
      })
      const digest = hash.digest('hex')
      if (digest !== from.sha256)
        throw fault(
          'digest_differs',
          `${label} returned bytes with the sha256 ${digest}, and ${from.sha256} was published`,
          'If it was changed on purpose, publish a version with the digest of the file as it is now.',
        )
      if (type) return unpackInto(folder, { type, bytes, limits, wanted: executable_name })
      return fillWith(folder, executable_name, bytes)
    },
  }
}
