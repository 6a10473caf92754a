import path from 'node:path'
import { createHost, type Host, type HostOptions } from '@svc/host'
import { buildBundle, watchBundle } from './build.ts'
import { Failure, failure } from './failure.ts'
import { pageFrom } from './page.ts'
import { type Project, readProject } from './project.ts'
import { shellFiles } from './shell-files.ts'
import type { StorageBackend } from './svc-key.ts'

/** What `startHarness` takes. */
export interface HarnessOptions {
  /** Folders of apps: Vite projects, or bundles that are built already. */
  readonly dirs: readonly string[]
  /** Default 0: a free one. */
  readonly port?: number
  /** Default: what the apps' package.json ask for, else the window's own state. */
  readonly storage?: StorageBackend
  /** Builds again on every change and tells the host. Default `false`. */
  readonly watch?: boolean
  /** Serves the shell at `/`. Default `true`. */
  readonly shell?: boolean
  /** Called after each build that a change caused. */
  readonly onChange?: (change: Change) => void
  /** Called with an app that is not as it must be, which is then left out. Default: the first one ends the start. */
  readonly onLeftOut?: (failure: Failure) => void
  /** Options of the host beside those that the harness sets: limits, a clock, a logger, more plugins. */
  readonly host?: Omit<HostOptions, 'harness' | 'apps' | 'storage' | 'page'>
}

/** A build that an edit caused. `problem` is what went wrong; the app then stays as it was. */
export interface Change {
  readonly app: string
  readonly problem: string | null
}

/** A running harness. */
export interface Harness {
  /** Where the page is, such as `http://127.0.0.1:8787`. */
  readonly url: string
  readonly host: Host
  readonly apps: readonly Project[]
  readonly storage: StorageBackend
  /** Ends watching, host, plugins and port; twice is harmless. */
  close(): Promise<void>
}

/**
 * Builds apps and starts a local host with them, their plugins and the shell page: memory, loopback, the
 * development sign-in. Errors: `Failure` of kind `config`, `build`, `port`.
 */
export async function startHarness(options: HarnessOptions): Promise<Harness> {
  const { dirs, port = 0, watch = false, shell = true, onChange = () => undefined } = options
  /** The apps that can be used, each with what ends its watching. */
  const taken = new Map<Project, () => Promise<void>>()
  const leftOut: Failure[] = []
  let host: Host | undefined

  let closing: Promise<void> | undefined
  const close = () => {
    closing ??= Promise.all([...taken.values(), async () => host?.close()].map((end) => end())).then(
      () => undefined,
    )
    return closing
  }

  /** Tells the host of a finished build. */
  async function changed(app: Project, problem: string | null): Promise<void> {
    if (problem !== null) return onChange({ app: app.name, problem })
    try {
      await host?.apps.reload(app.bundleDir)
      onChange({ app: app.name, problem: null })
    } catch (error) {
      onChange({ app: app.name, problem: error instanceof Error ? error.message : String(error) })
    }
  }

  /** What is wrong with one app is no reason to start none, where somebody listens. */
  function leaveOut(error: unknown): void {
    if (!options.onLeftOut || !(error instanceof Failure)) throw error
    leftOut.push(error)
  }

  async function take(dir: string): Promise<void> {
    const app = readProject(dir)
    if (!watch) await buildBundle(app)
    const watching = watch ? await watchBundle(app, (problem) => void changed(app, problem)) : null
    taken.set(app, async () => watching?.close())
  }

  /** Has a host without plugins look at the apps, until it can use all that are left. */
  async function tryApps(): Promise<void> {
    for (;;) {
      const trial = createHost({ ...options.host, harness: true, apps: foldersOf(taken.keys()) })
      const failed = await trial.listen(0).then(
        () => null,
        (error: unknown) => unusable(error, taken.keys()),
      )
      await trial.close()
      if (!failed) return
      leaveOut(failed.failure)
      await taken.get(failed.app)?.()
      taken.delete(failed.app)
    }
  }

  try {
    for (const dir of dirs) await take(dir).catch(leaveOut)
    if (options.onLeftOut) await tryApps()
    const apps = [...taken.keys()]
    if (apps.length === 0 && leftOut[0]) throw leftOut[0]
    for (const one of leftOut) options.onLeftOut?.(one)

    const storage = options.storage ?? storageOf(apps)
    const page = shell ? pageFrom(await shellFiles()) : undefined
    host = createHost({
      ...options.host,
      harness: true,
      storage,
      apps: foldersOf(apps),
      plugins: [...(options.host?.plugins ?? []), ...pluginsOf(apps)],
      ...(page && { page }),
    })
    const { url } = await host.listen(port).catch((error: unknown) => {
      throw unusable(error, apps)?.failure ?? portFailure(error, port)
    })
    return { url, host, apps, storage, close }
  } catch (error) {
    await close()
    throw error
  }
}

const foldersOf = (apps: Iterable<Project>) => [...apps].map(({ bundleDir }) => ({ dir: bundleDir }))

/** The app of which the host says that it cannot be used, and what it says; `null` when it speaks of none. */
function unusable(error: unknown, apps: Iterable<Project>): { app: Project; failure: Failure } | null {
  const message = error instanceof Error ? error.message : ''
  const begins = ({ bundleDir }: Project) => `the app in ${bundleDir} cannot be used`
  const app = [...apps].find((one) => message.startsWith(begins(one)))
  if (!app) return null
  const sentence = `${app.name} cannot be used${message.slice(begins(app).length)}`
  return { app, failure: failure('config', sentence, 'Mend its manifest.json, then start again.') }
}

/** A host has one storage: the one that any of its apps asks for. Errors: `config`, when two ask for different ones. */
function storageOf(apps: readonly Project[]): StorageBackend {
  const asking = apps.filter(({ storage }) => storage !== undefined)
  const [first] = asking
  const other = asking.find(({ storage }) => storage !== first?.storage)
  if (first && other)
    throw failure(
      'config',
      `${first.name} asks for svc.storage ${first.storage}, ${other.name} for ${other.storage}`,
      'Start them apart, or choose with --storage.',
    )
  return first?.storage ?? 'window-state'
}

/** The plugins of all apps, each started in its app's folder and with the Node that runs the harness first on its path. */
function pluginsOf(apps: readonly Project[]) {
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

/** Why a port could not be had, as Node says it, in a sentence of ours. */
export function portFailure(error: unknown, port: number): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'EADDRINUSE')
    return failure(
      'port',
      `port ${port} is in use`,
      `Take another one: --port ${port + 1}, or --port 0 for any.`,
    )
  if (code === 'EACCES')
    return failure('port', `port ${port} may not be used by this user`, 'Take one above 1023.')
  return error
}
