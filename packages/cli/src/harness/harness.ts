import path from 'node:path'
import { visibleText } from '@svc/contract/visible-text'
import { createHost, type DevSource, type Host, type HostOptions } from '@svc/host'
import { checkManifestKeys } from '../app/manifest-keys.ts'
import { type DataFolder, type DataPorts, openData } from '../host/data-folder.ts'
import { buildBundle } from '../project/build.ts'
import { linkPackages } from '../project/link-packages.ts'
import { commandsOf, type Project, readProject } from '../project/project.ts'
import type { StorageBackend } from '../project/svc-key.ts'
import { Failure } from '../terminal/failure.ts'
import { checkPort, portFailure } from '../terminal/port.ts'
import type { Change } from './change.ts'
import { openLivePlugins } from './live-plugins.ts'
import { ownSites } from './own-sites.ts'
import { pageFrom } from './page.ts'
import { readLog } from './read-log.ts'
import { openTypes, type TypesNews } from './renew-types.ts'
import { shellFiles } from './shell-files.ts'
import { storageOf } from './storage-of.ts'
import { unusableApp } from './unusable-app.ts'
import { type WatchParts, watchApp } from './watch-app.ts'

export type { Change } from './change.ts'
export type { TypesNews } from './renew-types.ts'

/** What `startHarness` takes. */
export interface HarnessOptions {
  /** Folders of apps: Vite projects, or bundles that are built already. */
  readonly dirs: readonly string[]
  /** Default 0: a free one. */
  readonly port?: number
  /** Default: what the apps' package.json ask for, else the window's own state. */
  readonly storage?: StorageBackend
  /** A folder that keeps the data. Default: it is in memory, and ends with the harness. */
  readonly data?: string
  /** What keeps the data where there is no folder, if it is to outlive the harness; whoever made it closes it. */
  readonly memory?: DataPorts
  /** Follows every change of the apps' files. Default `false`. */
  readonly watch?: boolean
  /**
   * With `watch`: a saved module comes into open windows by itself, with their state where the module accepts that.
   * `false`: each save builds the app, and its windows reload. Default `true`.
   */
  readonly hmr?: boolean
  /** The ports of Vite by folder of an app, of a harness before this one, whose windows still ask for them; it is filled. */
  readonly hmrPorts?: Map<string, number>
  /** Serves the shell at `/`. Default `true`. */
  readonly shell?: boolean
  /** Called after each build, each new `svc` key and each saved plugin, that a change caused. */
  readonly onChange?: (change: Change) => void
  /**
   * Called after the file with the types of an app's tools was written, or could not be. With it, that file is renewed
   * where the app has one: at the start, and when its plugins or its manifest change.
   */
  readonly onTypes?: (news: TypesNews) => void
  /** Also writes such a file for apps that have none. Default `false`. */
  readonly createTypes?: boolean
  /** Called with the packages that were linked into an app's `node_modules`, because it had none of that name. */
  readonly onLent?: (dir: string, names: readonly string[]) => void
  /** Called with an app that is not as it must be, which is then left out. Default: the first one ends the start. */
  readonly onLeftOut?: (failure: Failure) => void
  /** Takes the log of the host, each record as a line of JSON. Default: stderr. */
  readonly writeLog?: (text: string) => void
  /** Options of the host beside those that the harness sets: limits, a clock, more plugins. */
  readonly host?: Omit<HostOptions, 'harness' | 'apps' | 'storage' | 'page' | 'logger' | keyof DataPorts>
}

/** A running harness. */
export interface Harness {
  /** Where the page is, such as `http://127.0.0.1:8787`. */
  readonly url: string
  /** What to open in a browser: the URL with the start token. */
  readonly startUrl: string
  /** The host that serves the apps. */
  readonly host: Host
  /** The apps, in the order of their folders. */
  readonly apps: readonly Project[]
  /** Where `svc.storage` keeps values. */
  readonly storage: StorageBackend
  /** The folder that keeps the data; `null`: it is in memory. */
  readonly data: string | null
  /** Ends watching, host, plugins and port; twice is harmless. */
  close(): Promise<void>
}

interface Taken {
  readonly dev: DevSource | null
  begin(): Promise<void>
  end(): Promise<void>
}

/**
 * Builds apps and starts a local host with them, their plugins and the shell page: loopback, the
 * development sign-in. Errors: `Failure` of kind `config`, `build`, `port`.
 *
 * @example
 * ```ts
 * const harness = await startHarness({ dirs: ['examples/notes'] })
 * const page = await fetch(harness.startUrl)
 * await harness.close()
 * ```
 */
export async function startHarness(options: HarnessOptions): Promise<Harness> {
  const { dirs, port = 0, watch = false, hmr = true, shell = true, onChange = () => undefined } = options
  const {
    hmrPorts = new Map<string, number>(),
    writeLog = (text) => process.stderr.write(visibleText(text)),
  } = options
  /** The apps that can be used, each with what serves its files in place of the built ones, and with its watching. */
  const taken = new Map<Project, Taken>()
  const leftOut: Failure[] = []
  let host: Host | undefined
  let folder: DataFolder | undefined
  let types: ReturnType<typeof openTypes> | undefined
  const plugins = openLivePlugins({
    apps: () => taken.keys(),
    host: () => host,
    more: options.host?.plugins ?? [],
    isolation: options.host?.isolation,
    lend: (app) => lend(app, app.dir),
    onChange,
    onAsked: (app) => types?.renew(plugins.current(app)),
  })
  const logger = readLog(writeLog, plugins.noteRecord)

  let closing: Promise<void> | undefined
  const close = () => {
    closing ??= closeAll()
    return closing
  }
  async function closeAll(): Promise<void> {
    await Promise.all([...taken.values()].map(({ end }) => end()))
    plugins.close()
    await types?.close()
    await host?.close()
    await folder?.close()
  }

  function lend(app: Project, dir: string): void {
    // Every file of a bundle that is built already is served: nothing is put into it.
    const lent = app.built === 'already' ? [] : linkPackages(app.dir, commandsOf(app))
    if (lent.length > 0) options.onLent?.(dir, lent)
  }

  const configured = () => [...taken].map(([{ bundleDir: dir }, { dev }]) => ({ dir, ...(dev && { dev }) }))

  /** What is wrong with one app is no reason to start none, where somebody listens. */
  function leaveOut(error: unknown): void {
    if (!options.onLeftOut || !(error instanceof Failure)) throw error
    leftOut.push(error)
  }

  async function take(dir: string): Promise<void> {
    const app = readProject(dir)
    lend(app, dir)
    if (!watch) await buildBundle(app)
    const watching = watch ? await watchApp(app, partsOf(app)) : null
    if (watching?.port) hmrPorts.set(app.dir, watching.port)
    await checkManifestKeys(app).catch(async (error: unknown) => {
      await watching?.close()
      throw error
    })
    const unwatch = watch ? plugins.watch(app) : () => undefined
    taken.set(app, {
      dev: watching?.source ?? null,
      begin: async () => watching?.begin(),
      async end() {
        unwatch()
        await watching?.close()
      },
    })
  }

  function partsOf(app: Project): WatchParts {
    return {
      host: () => host,
      hmr,
      port: hmrPorts.get(app.dir) ?? 0,
      onChange,
      onBuilt: () => types?.renew(plugins.current(app)),
    }
  }

  /** Has a host without plugins look at the apps, until it can use all that are left. */
  async function tryApps(): Promise<void> {
    for (;;) {
      const trial = createHost({ ...options.host, logger, harness: true, apps: configured() })
      const failed = await trial.listen(0).then(
        () => null,
        (error: unknown) => unusableApp(error, taken.keys()),
      )
      await trial.close()
      if (!failed) return
      leaveOut(failed.failure)
      await taken.get(failed.app)?.end()
      taken.delete(failed.app)
    }
  }

  await checkPort(port)
  try {
    for (const dir of dirs) await take(dir).catch(leaveOut)
    if (options.onLeftOut) await tryApps()
    const apps = [...taken.keys()]
    if (apps.length === 0 && leftOut[0]) throw leftOut[0]
    for (const one of leftOut) options.onLeftOut?.(one)

    const storage = options.storage ?? storageOf(apps)
    const page = shell ? pageFrom(await shellFiles()) : undefined
    const data = options.data === undefined ? null : path.resolve(options.data)
    if (data !== null) folder = await openData(data, { clock: options.host?.clock })
    host = createHost({
      bundleOrigin: ownSites,
      ...options.host,
      logger,
      ...(folder?.ports ?? options.memory),
      harness: true,
      storage,
      apps: configured(),
      plugins: plugins.configured(),
      ...(page && { page }),
    })
    const { url, startUrl } = await host.listen(port).catch((error: unknown) => {
      throw unusableApp(error, apps)?.failure ?? portFailure(error, port)
    })
    if (options.onTypes) types = openTypes(host, options.createTypes ?? false, options.onTypes)
    host.plugins.onChange(({ handle, status }) => {
      const app = plugins.appOf(handle)
      if (app && status === 'available') types?.renew(plugins.current(app))
    })
    for (const app of apps) types?.renew(app)
    for (const { begin } of taken.values()) await begin()
    plugins.begin()
    return { url, startUrl, host, apps, storage, data, close }
  } catch (error) {
    await close()
    throw error
  }
}
