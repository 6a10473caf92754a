import { cpSync, existsSync, globSync, statSync } from 'node:fs'
import path from 'node:path'
import { build, type InlineConfig, type Plugin, type Rolldown } from 'vite'
import { failure } from '../terminal/failure.ts'
import { buildSentence } from './build-sentence.ts'
import type { Project } from './project.ts'
import { openTurns } from './turns.ts'

/** Builds an app's sources into its `dist`, once. Errors: `build`. */
export async function buildBundle(project: Project): Promise<void> {
  if (project.built === 'already') return
  const error = await buildAgain(project)
  if (error !== null) throw unbuilt(project.name, error)
}

/** Builds an app's sources again; returns the error of Vite, or `null`. */
export const buildAgain = (project: Project): Promise<unknown> =>
  withNodeEnv('production', () => build(configOf(project))).then(
    () => null,
    (error: unknown) => error,
  )

/** What a watched build says after each turn: `null` when it went well, else the error of Vite. */
export type OnBuilt = (error: unknown) => void

/** How often a watched build begins anew because of what was saved during its first turn. */
const BEGINS_MAX = 3
/** What the time of a write may be behind the clock: file systems count in ticks of the kernel. */
const TICK_MS = 10

const savedAt = (file: string): number => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0

/** Which files there are in an app's `public`, and when each was saved, as text. */
export const publicState = ({ dir }: Project): string =>
  JSON.stringify(publicFiles(dir).map((file) => [file, savedAt(file)]))

/**
 * A watched build: resolves when the first turn is over. `close()` ends the watching. Errors: `build`.
 *
 * What is saved after the bundler has read it and before it watches it would be missed: then it begins anew.
 */
export async function watchBundle(project: Project, onBuilt: OnBuilt): Promise<{ close(): Promise<void> }> {
  if (project.built === 'already') return { close: async () => undefined }
  for (let begins = 1; ; begins++) {
    const [fromMs, before] = [Date.now() - TICK_MS, publicState(project)]
    const watched = await watchOnce(project, onBuilt)
    const isStale = publicState(project) !== before || watched.files().some((file) => savedAt(file) >= fromMs)
    if (!isStale || begins === BEGINS_MAX) return watched
    await watched.close()
  }
}

async function watchOnce(project: Project, onBuilt: OnBuilt) {
  const { promise: first, resolve, reject } = Promise.withResolvers<void>()
  let turns = 0
  let hasFailed = false
  let files: readonly string[] = []
  const noteFiles: Plugin = {
    name: 'svc:note-files',
    buildEnd() {
      // Virtual modules have names that are no paths; a path may have a query.
      files = [...this.getModuleIds()].filter(path.isAbsolute).map((id) => id.replace(/\?.*/, ''))
    },
  }

  const watcher = await withNodeEnv('production', async () => {
    const config = configOf(project, { watch: {} })
    const made = (await build({
      ...config,
      plugins: [config.plugins, noteFiles],
    })) as Rolldown.RolldownWatcher
    made.on('event', (event) => {
      if (event.code === 'BUNDLE_END') void event.result.close()
      if (event.code === 'START') hasFailed = false
      // A turn that failed ends as well: its end is not another one that went well.
      if (event.code !== 'ERROR' && (event.code !== 'END' || hasFailed)) return
      hasFailed = event.code === 'ERROR'
      turns++
      const error: unknown = event.code === 'ERROR' ? event.error : null
      if (turns > 1) return onBuilt(error)
      if (error === null) resolve()
      else reject(unbuilt(project.name, error))
    })
    await first.catch(async (error: unknown) => {
      await made.close()
      throw error
    })
    return made
  })
  return { files: () => files, close: () => watcher.close() }
}

/** Paths in a bundle are relative, because its folder is named by a digest that no build knows. */
function configOf(project: Project, { watch = null }: { watch?: object | null } = {}): InlineConfig {
  return {
    root: project.dir,
    mode: 'production',
    base: './',
    logLevel: 'silent',
    clearScreen: false,
    plugins: [watchPublic(project.dir)],
    build: { outDir: 'dist', emptyOutDir: true, watch },
  }
}

/** Vite watches modules only; an edit of the manifest is a change of the app too. */
const watchPublic = (dir: string): Plugin => ({
  name: 'svc:watch-public',
  buildStart() {
    for (const file of publicFiles(dir)) this.addWatchFile(file)
  },
})

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
