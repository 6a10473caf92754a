import type { PluginDescription } from '@svc/contract/stdio'
import { createRunner } from '@svc/runner'
import { pluginsOf, type StartedPlugin } from '../project/plugins-of.ts'
import type { Project } from '../project/project.ts'
import { failure } from '../terminal/failure.ts'
import { type AppPlugs, type AppTypes, appTypes, readPlugs } from './app-types.ts'

/** The types of an app, made of what its plugins say now. Errors: `config`, `failed`. */
export async function askApp(
  app: Project,
  signal: AbortSignal,
): Promise<AppTypes & Pick<AppPlugs, 'unused'>> {
  const plugs = await readPlugs(app)
  const plugins = pluginsOf([app]).filter(({ slug }) => !plugs.unused.includes(slug))
  return { ...appTypes(plugs, await askPlugins(plugins, signal)), unused: plugs.unused }
}

/** Starts plugins as `svc dev` does, and asks each what it is; by slug. Errors: `failed`, for the first that does not say it. */
async function askPlugins(
  plugins: readonly StartedPlugin[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, PluginDescription>> {
  const runner = createRunner({ showStderr: true })
  try {
    const asked = plugins.map(async ({ slug, ...line }): Promise<[string, PluginDescription]> => {
      const told = await runner.describe({ ...line, id: slug, version: '0.0.0-local' }, { signal })
      if (told.ok) return [slug, told.description]
      signal.throwIfAborted()
      const hint = told.details?.hint
      throw failure(
        'failed',
        `the plugin ${slug} did not say what tools it has: ${told.message}`,
        typeof hint === 'string' ? hint : `Start it by hand in ${line.cwd}: ${line.command.join(' ')}`,
        told.code,
      )
    })
    return new Map(await Promise.all(asked))
  } finally {
    await runner.close()
  }
}
