import path from 'node:path'
import type { Host } from '@svc/host'
import type { Project } from '../project/project.ts'
import type { SvcKey } from '../project/svc-key.ts'
import { failure } from '../terminal/failure.ts'

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

/** The plugins of all apps, each started in its app's folder and with the Node that runs the harness first on its path. */
export function pluginsOf(apps: readonly Project[]) {
  const owners = new Map<string, string>()
  const PATH = [path.dirname(process.execPath), process.env.PATH].join(path.delimiter)
  return apps.flatMap((app) =>
    app.plugins.map((plugin) => {
      const { slug } = plugin
      const owner = owners.get(slug)
      if (owner !== undefined)
        throw failure('config', `the plugin slug ${slug} is named by ${owner} and by ${app.name}`)
      owners.set(slug, app.name)
      return { ...plugin, cwd: app.dir, env: { PATH } }
    }),
  )
}
