import path from 'node:path'
import type { Reach } from '@svc/contract'
import type { CommandSpec } from '@svc/runner'
import { failure } from '../terminal/failure.ts'
import { givenIn, valuesOf } from './given-values.ts'
import type { PluginLine } from './plugin-line.ts'
import type { Project } from './project.ts'
import { searchPath } from './search-path.ts'

/** A plugin of an app with its values and where it starts, as the host is configured with it. */
export interface StartedPlugin extends Omit<PluginLine, 'env' | 'reach'> {
  /** The folder of its app, or another one. */
  readonly cwd: string
  /** Its variables, and its PATH, as of the scripts of npm. */
  readonly env: Readonly<Record<string, string>>
  /** What it reaches behind walls; left out, it has none. */
  readonly reach?: Reach
  /** Why it cannot be started: values that are missing. */
  readonly problem?: string
}

/**
 * The plugins of all apps, as everything starts them that starts `svc.plugins`: with their values, in the folder of the app,
 * with the programs that are installed there first on the path, and behind walls unless they ask for none. Errors: `config`.
 */
export function pluginsOf(apps: readonly Project[]): StartedPlugin[] {
  const owners = new Map<string, string>()
  return apps.flatMap((app) => {
    const given = app.plugins.length > 0 ? givenIn(app.dir) : () => undefined
    return app.plugins.map((plugin) => {
      const { slug } = plugin
      const owner = owners.get(slug)
      if (owner !== undefined) throw twice(slug, owner, app.name)
      owners.set(slug, app.name)
      return startedOf(app, plugin, given)
    })
  })
}

function startedOf(
  { dir }: Project,
  { env, cwd = '.', reach = {}, ...line }: PluginLine,
  given: (name: string) => string | undefined,
): StartedPlugin {
  const PATH = searchPath(dir)
  const walls = reach === 'all' ? {} : { reach }
  const { command } = line
  const filled = valuesOf({ command, cwd, ...(env && { env }), ...walls }, given)
  // Its names stand for nothing: it is not started.
  if (typeof filled === 'string') return { ...line, cwd: dir, env: { PATH }, reach: {}, problem: filled }
  const { command: [program = '', ...args] = [], cwd: folder = '.', missing: _, ...values } = filled
  return {
    ...line,
    ...values,
    command: [program, ...args],
    cwd: path.resolve(dir, folder),
    env: { PATH, ...filled.env },
  }
}

/** What a runner starts it with. */
export const specOf = ({ slug, start_ms, problem: _, ...line }: StartedPlugin): CommandSpec => ({
  ...line,
  id: slug,
  version: '0.0.0-local',
  ...(start_ms !== undefined && { startMs: start_ms }),
})

const twice = (slug: string, owner: string, app: string) =>
  failure(
    'config',
    owner === app
      ? `svc.plugins of ${app} names the slug ${slug} twice`
      : `the plugin slug ${slug} is named by ${owner} and by ${app}`,
    'Give each plugin a slug of its own in package.json, and in the manifest of its app.',
  )
