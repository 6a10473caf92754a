import type { ConfiguredPlugin, Host } from '@svc/host'
import { createRunner, type IsolationOption, type PluginSpec } from '@svc/runner'
import { describesAsMcp, MCP_KEY_HINT, SPEAKS_MCP } from '../plug-check/speaks-mcp.ts'
import { pluginsOf, type StartedPlugin } from '../project/plugins-of.ts'
import type { Project } from '../project/project.ts'
import type { SvcKey } from '../project/svc-key.ts'
import { Failure } from '../terminal/failure.ts'
import { noteOf } from './app-plugins.ts'
import type { Change } from './change.ts'
import { openPluginTroubles } from './plugin-troubles.ts'
import { watchKey } from './watch-key.ts'
import { watchPlugins } from './watch-plugins.ts'

/** What the plugins of a harness are put together from. */
export interface LivePluginParts {
  readonly apps: () => Iterable<Project>
  /** The host, once there is one. */
  readonly host: () => Host | undefined
  /** Plugins beside those of the apps. */
  readonly more: readonly ConfiguredPlugin[]
  /** What walls they have; left out: `auto`. */
  readonly isolation: IsolationOption | undefined
  /** Links what the plugins of an app import. */
  readonly lend: (app: Project) => void
  readonly onChange: (change: Change) => void
  /** Called when the host has asked the plugins of an app what they are now. */
  readonly onAsked: (app: Project) => void
}

/** The plugins of the apps as the `svc` keys and the programs are now. */
export function openLivePlugins({ apps, host, more, isolation, lend, onChange, onAsked }: LivePluginParts) {
  /** The `svc` keys that were saved since. */
  const keys = new Map<Project, SvcKey>()
  const appOf = (slug: string) =>
    [...apps()].find((app) => current(app).plugins.some((plugin) => plugin.slug === slug))
  const troubles = openPluginTroubles({ appOf, host, onChange })
  /** How often the program of a plugin was saved, by slug. */
  const edits = new Map<string, number>()
  const watching = new Map<Project, () => void>()
  const closing = new AbortController()

  const configured = () => [...more, ...pluginsOf([...apps()].map(current)).map(edited)]

  /** An app with its key as it is now. */
  function current(app: Project): Project {
    const { name, dir, bundleDir, built } = app
    return { name, dir, bundleDir, built, ...(keys.get(app) ?? app) }
  }

  /** Processes of a program that was saved since have another environment, so that no older one is used for a call. */
  function edited(plugin: StartedPlugin): StartedPlugin {
    const count = edits.get(plugin.slug)
    return count === undefined ? plugin : { ...plugin, env: { ...plugin.env, SVC_EDITS: String(count) } }
  }

  /** Has the host take the plugins as they are now, and tells how they are. */
  async function configure(app: Project, part: Change['part'], { plugins, storage }: SvcKey): Promise<void> {
    const known = host()
    if (!known) return
    for (const { slug } of plugins) await troubles.saved(slug)
    known.plugins.configure(configured())
    await known.plugins.ready()
    await checkAll(known, plugins)
    const note = await noteOf(known, { plugins }, storage === app.storage)
    onChange({ app: app.name, part, problem: null, note })
    onAsked(app)
  }

  /** Tells of the plugins that cannot be used. */
  async function checkAll(known: Host, plugins: Project['plugins']): Promise<void> {
    for (const { slug } of plugins) {
      const found = await known.plugins.find({ userId: '', version: null }, slug)
      if (!found || found.problem === null) continue
      if (found.fault !== undefined) {
        troubles.unavailable(slug, found.fault, 'It is started once it has what it needs.')
        continue
      }
      const isMcpServer = await isMcp(found.spec)
      if (closing.signal.aborted) return
      if (isMcpServer) troubles.unavailable(slug, SPEAKS_MCP, MCP_KEY_HINT)
      else troubles.unavailable(slug, found.problem)
    }
  }

  /** A plugin that could not be used was tried again by the host, and can be used. */
  async function startedLater(known: Host, slug: string): Promise<void> {
    const app = appOf(slug)
    if (!app || !(await troubles.available(slug))) return
    const plugins = current(app).plugins.filter((plugin) => plugin.slug === slug)
    onChange({ app: app.name, part: 'plugin', problem: null, note: await noteOf(known, { plugins }, true) })
  }

  /** Whether a plugin that cannot be used is an MCP server: asked by a runner with the same walls. */
  async function isMcp(spec: PluginSpec): Promise<boolean> {
    const runner = createRunner({ ...(isolation && { isolation }) })
    try {
      return 'command' in spec && (await describesAsMcp(runner, spec, closing.signal))
    } finally {
      await runner.close()
    }
  }

  /** Has the plugins of a new `svc` key take the place of those before. */
  async function keyChanged(app: Project, key: SvcKey | Failure): Promise<void> {
    const part = 'svc key'
    if (!host()) return
    if (key instanceof Failure) return onChange({ app: app.name, part, problem: key.message })
    const before = keys.get(app)
    keys.set(app, key)
    try {
      lend(current(app))
      await configure(app, part, key)
      watchPrograms(app)
    } catch (error) {
      if (before) keys.set(app, before)
      else keys.delete(app)
      failed(app, part, error)
    }
  }

  function failed(app: Project, part: Change['part'], error: unknown): void {
    onChange({ app: app.name, part, problem: error instanceof Error ? error.message : String(error) })
  }

  async function saved(app: Project, slug: string): Promise<void> {
    edits.set(slug, (edits.get(slug) ?? 0) + 1)
    const { plugins, ...key } = current(app)
    const part = 'plugin'
    await configure(app, part, { ...key, plugins: plugins.filter((plugin) => plugin.slug === slug) }).catch(
      (error: unknown) => failed(app, part, error),
    )
  }

  function watchPrograms(app: Project): void {
    watching.get(app)?.()
    watching.set(
      app,
      watchPlugins(current(app), (slug) => void saved(app, slug)),
    )
  }

  return {
    configured,
    /** The app that a plugin comes with. */
    appOf,
    current,
    /** Tells nothing more. */
    close: () => closing.abort(),
    /** Takes a record of the host's log. */
    noteRecord: troubles.take,
    /** The host is up: tells, once its plugins are known, which of them cannot be used. */
    begin(): void {
      const known = host()
      known?.plugins.onChange(({ handle, status }) => {
        if (status === 'available') void startedLater(known, handle).catch(() => undefined)
      })
      // A host that closes meanwhile has nobody to tell.
      void known?.plugins
        .ready()
        .then(() =>
          checkAll(
            known,
            [...apps()].flatMap((app) => current(app).plugins),
          ),
        )
        .catch(() => undefined)
    },
    /** Watches the key and the programs of an app; returns what ends that. */
    watch(app: Project): () => void {
      const unwatch = watchKey(app, (key) => void keyChanged(app, key))
      watchPrograms(app)
      return () => {
        unwatch()
        watching.get(app)?.()
      }
    },
  }
}
