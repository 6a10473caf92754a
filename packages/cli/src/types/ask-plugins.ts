import type { PluginDescription } from '@svc/contract/stdio'
import { createRunner } from '@svc/runner'
import { describesAsMcp, MCP_KEY_HINT, SPEAKS_MCP } from '../plug-check/speaks-mcp.ts'
import { pluginsOf, type StartedPlugin, specOf } from '../project/plugins-of.ts'
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
    const asked = plugins.map(async (line): Promise<[string, PluginDescription]> => {
      const { slug, problem } = line
      if (problem !== undefined)
        throw failure('config', `the plugin ${slug} cannot be asked what tools it has: ${problem}`)
      const plugin = specOf(line)
      const told = await runner.describe(plugin, { signal })
      if (told.ok) return [slug, told.description]
      const isMcp = await describesAsMcp(runner, plugin, signal)
      signal.throwIfAborted()
      if (isMcp) throw failure('config', `the plugin ${slug} is not usable: ${SPEAKS_MCP}`, MCP_KEY_HINT)
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
