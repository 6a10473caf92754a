import { cpSync, existsSync, globSync, statSync } from 'node:fs'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import path from 'node:path'
import { build, type InlineConfig, type Plugin, type Rolldown } from 'vite'
import { failure } from '../terminal/failure.ts'
import { buildSentence } from './build-sentence.ts'
import type { Project } from './project.ts'
import { replaceFiles } from './replace-files.ts'
import { stampOf } from './stamp.ts'
import { openTurns } from './turns.ts'

/** Builds an app's sources into its `dist`, once. Errors: `build`. */
export async function buildBundle(project: Project): Promise<void> {
  if (project.built === 'already') return
  const error = await buildAgain(project)
  if (error !== null) throw unbuilt(project.name, error)
}

/**
 * Builds an app's sources again; returns what kept them from being built, or `null`. A build that fails leaves `dist` as
 * it was, and none takes away a file that another process has just built from the same sources.
 */
export const buildAgain = (project: Project): Promise<unknown> =>
  buildWhole(project).then(
    () => null,
    (error: unknown) => error,
  )

/** How the folders of builds begin, and for how many ms none is at work. */
const BUILD = '.svc-build-'
const BUILD_MAX_MS = 3_600_000

/** Removes the folders of builds whose processes were ended in the middle. */
async function removeLeftOvers(modules: string): Promise<void> {
  for (const name of globSync(`${BUILD}*`, { cwd: modules })) {
    const folder = path.join(modules, name)
    const { mtimeMs = Date.now() } = statSync(folder, { throwIfNoEntry: false }) ?? {}
    if (Date.now() - mtimeMs > BUILD_MAX_MS) await rm(folder, { recursive: true, force: true })
  }
}

async function buildWhole({ dir, bundleDir }: Project): Promise<void> {
  const modules = path.join(dir, 'node_modules')
  await mkdir(modules, { recursive: true })
  await removeLeftOvers(modules)
  const outDir = await mkdtemp(path.join(modules, BUILD))
  try {
    await withNodeEnv('production', () => build(configOf(dir, { outDir })))
    await replaceFiles(bundleDir, outDir)
  } finally {
    await rm(outDir, { recursive: true, force: true })
  }
}

/** What a watched build says after each turn: `null` when it went well, else the error of Vite. */
export type OnBuilt = (error: unknown) => void

/** How often a watched build begins because of what was saved during its first turn. */
const BEGINS_MAX = 3

/** Which files there are in an app's `public`, and when each was saved, as text. */
export const publicState = ({ dir }: Project): string =>
  JSON.stringify(publicFiles(dir).map((file) => [file, stampOf(file)]))

/**
 * A watched build: resolves when the first turn is over. `close()` ends the watching. Errors: `build`.
 *
 * What is saved after the bundler has read it and before it watches it would be missed: then it begins anew, at most twice.
 * `onUnsettled` is called where something was saved during each of these turns. An error of a turn that came after a good
 * one is told to `onBuilt`.
 */
export async function watchBundle(
  project: Project,
  onBuilt: OnBuilt,
  onUnsettled: () => void = () => undefined,
): Promise<{ close(): Promise<void> }> {
  if (project.built === 'already') return { close: async () => undefined }
  let watched = await watchOnce(project, onBuilt)
  let hasBuilt = watched.error === null
  for (let begins = 1; watched.isStale(); begins++) {
    if (begins === BEGINS_MAX) {
      onUnsettled()
      break
    }
    await watched.close()
    watched = await watchOnce(project, onBuilt)
    hasBuilt ||= watched.error === null
  }
  if (watched.error === null) return watched
  if (hasBuilt) {
    onBuilt(watched.error)
    return watched
  }
  await watched.close()
  throw unbuilt(project.name, watched.error)
}

/** Begins to watch; resolves when the first turn is over, with its error, or `null`. Each later one is told to `onBuilt`. */
async function watchOnce(project: Project, onBuilt: OnBuilt) {
  const { promise: first, resolve } = Promise.withResolvers<unknown>()
  let turns = 0
  let hasFailed = false
  let isClosed = false
  const publicBefore = publicState(project)
  /** The files that were read, each with its stamp before that. */
  const read = new Map<string, string>()
  function note(_: unknown, id: string): void {
    // Virtual modules have names that are no paths; a path may have a query.
    const file = id.replace(/\?.*/, '')
    if (path.isAbsolute(file) && !read.has(file)) read.set(file, stampOf(file))
  }
  const noteFiles: Plugin = {
    name: 'svc:note-files',
    load: { order: 'pre', handler: (id) => note(null, id) },
    // A file that a plugin of the app loads does not come to the other hook.
    transform: { order: 'pre', handler: note },
  }

  const { watcher, error } = await withNodeEnv('production', async () => {
    const config = configOf(project.dir, { watch: {} })
    const watcher = (await build({
      ...config,
      plugins: [config.plugins, noteFiles],
    })) as Rolldown.RolldownWatcher
    watcher.on('event', (event) => {
      if (event.code === 'BUNDLE_END') void event.result.close().catch(() => undefined)
      if (event.code === 'START') hasFailed = false
      // A turn that failed ends as well: its end is not another one that went well.
      if (event.code !== 'ERROR' && (event.code !== 'END' || hasFailed)) return
      hasFailed = event.code === 'ERROR'
      turns++
      const error: unknown = event.code === 'ERROR' ? event.error : null
      if (turns === 1) resolve(error)
      else if (!isClosed) onBuilt(error)
    })
    return { watcher, error: await first }
  })
  return {
    error,
    /** Whether something was saved after it was read. */
    isStale: () =>
      publicState(project) !== publicBefore || [...read].some(([file, stamp]) => stampOf(file) !== stamp),
    close() {
      isClosed = true
      return watcher.close()
    },
  }
}

/** Paths in a bundle are relative, because its folder is named by a digest that no build knows. */
function configOf(
  root: string,
  { outDir = 'dist', watch = null }: { outDir?: string; watch?: object | null },
): InlineConfig {
  return {
    root,
    mode: 'production',
    base: './',
    logLevel: 'silent',
    clearScreen: false,
    plugins: [watchPublic(root), workersAsModules],
    build: { outDir, emptyOutDir: true, watch },
  }
}

/** Vite watches modules only; an edit of the manifest is a change of the app too. */
const watchPublic = (dir: string): Plugin => ({
  name: 'svc:watch-public',
  buildStart() {
    for (const file of publicFiles(dir)) this.addWatchFile(file)
  },
})

/** A worker may wait at its top and load parts of itself, as the rest of an app may; an app that says otherwise is heard. */
const workersAsModules: Plugin = {
  name: 'svc:workers-as-modules',
  config: ({ worker }) => (worker?.format ? {} : { worker: { format: 'es' } }),
}

const publicFiles = (dir: string): string[] =>
  globSync('public/**', { cwd: dir }).map((file) => path.join(dir, file))

/** One work at a time has the environment. */
const inTurn = openTurns()

/** Vite reads `NODE_ENV` while it resolves a configuration; a test runner's own value would be that of the app. */
export const withNodeEnv = <T>(value: 'production' | 'development', work: () => Promise<T>): Promise<T> =>
  inTurn(async () => {
    const before = process.env.NODE_ENV
    process.env.NODE_ENV = value
    try {
      return await work()
    } finally {
      if (before === undefined) delete process.env.NODE_ENV
      else process.env.NODE_ENV = before
    }
  })

/**
 * Puts together what a host needs of an app that was never built, or was emptied by a build that failed: its page and its
 * public files. What they load is served from the sources.
 */
export function makeUnbuilt({ dir, bundleDir }: Project): void {
  if (existsSync(path.join(bundleDir, 'manifest.json'))) return
  cpSync(path.join(dir, 'public'), bundleDir, { recursive: true })
  cpSync(path.join(dir, 'index.html'), path.join(bundleDir, 'index.html'))
}

/** Says that an app could not be built, and why. */
export const unbuilt = (name: string, error: unknown) =>
  failure(
    'build',
    `${name} could not be built: ${buildSentence(error)}`,
    'Correct this error, then start again.',
  )
