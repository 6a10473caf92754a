import { cpSync, existsSync, globSync } from 'node:fs'
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

/** A watched build: resolves when the first turn is over. `close()` ends the watching. Errors: `build`. */
export async function watchBundle(project: Project, onBuilt: OnBuilt): Promise<{ close(): Promise<void> }> {
  if (project.built === 'already') return { close: async () => undefined }
  const { promise: first, resolve, reject } = Promise.withResolvers<void>()
  let turns = 0
  let hasFailed = false

  const watcher = await withNodeEnv('production', async () => {
    const made = (await build(configOf(project, { watch: {} }))) as Rolldown.RolldownWatcher
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
  return { close: () => watcher.close() }
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
    for (const file of globSync('public/**', { cwd: dir })) this.addWatchFile(path.join(dir, file))
  },
})

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
