import path from 'node:path'
import { failure } from '../terminal/failure.ts'
import type { Project } from './project.ts'
import type { PluginLine } from './svc-key.ts'

/** A plugin of an app with where it starts, as the host is configured with it. */
export interface StartedPlugin extends PluginLine {
  /** The folder of its app. */
  readonly cwd: string
  /** The Node that runs svc comes first on its path. */
  readonly env: Readonly<Record<string, string>>
}

/**
 * The plugins of all apps, each started in its app's folder and with the Node that runs svc first on its path.
 * Errors: `config`.
 */
export function pluginsOf(apps: readonly Project[]): StartedPlugin[] {
  const owners = new Map<string, string>()
  const PATH = [path.dirname(process.execPath), process.env.PATH].join(path.delimiter)
  return apps.flatMap((app) =>
    app.plugins.map((plugin) => {
      const { slug } = plugin
      const owner = owners.get(slug)
      if (owner !== undefined) throw twice(slug, owner, app.name)
      owners.set(slug, app.name)
      return { ...plugin, cwd: app.dir, env: { PATH } }
    }),
  )
}

const twice = (slug: string, owner: string, app: string) =>
  failure(
    'config',
    owner === app
      ? `svc.plugins of ${app} names the slug ${slug} twice`
      : `the plugin slug ${slug} is named by ${owner} and by ${app}`,
    'Give each plugin a slug of its own in package.json, and in the manifest of its app.',
  )
