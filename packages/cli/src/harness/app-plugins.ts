import type { Host } from '@svc/host'
import type { SvcKey } from '../project/svc-key.ts'

/** How the tools of a new key are, and what of it needs a restart. */
export async function noteOf(host: Host, { plugins }: SvcKey, sameStorage: boolean): Promise<string> {
  const known = await Promise.all(
    plugins.map(({ slug }) => host.plugins.find({ userId: '', version: null }, slug)),
  )
  const tools = known.flatMap((one) =>
    one ? `${one.handle} (${one.status}${one.problem === null ? '' : `: ${one.problem}`})` : [],
  )
  const storage = sameStorage ? [] : ['svc.storage changes when svc dev starts again']
  return [`tools: ${tools.join(', ') || 'none'}`, ...storage].join('; ')
}
