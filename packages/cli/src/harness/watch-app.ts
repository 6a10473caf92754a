import { readFile } from 'node:fs/promises'
import path from 'node:path'
import type { DevSource, Host } from '@svc/host'
import { checkManifestKeys } from '../app/manifest-keys.ts'
import { manifestLines, manifestProblem } from '../app/manifest-lines.ts'
import type { Checked } from '../hot/held-updates.ts'
import { openHotApp } from '../hot/hot-app.ts'
import type { WindowError } from '../hot/window-errors.ts'
import { buildAgain, makeUnbuilt, publicState, unbuilt, watchBundle } from '../project/build.ts'
import { buildProblem, buildSentence } from '../project/build-sentence.ts'
import type { Project } from '../project/project.ts'
import { openTurns } from '../project/turns.ts'
import type { Change } from './change.ts'

/** What the watching of an app needs. */
export interface WatchParts {
  /** The host, once there is one. */
  readonly host: () => Host | undefined
  /** Whether saved modules come into open windows one by one; else each save builds the app, and its windows reload. */
  readonly hmr: boolean
  /** The port that Vite had for this app before, which windows still ask for; `0`: any. */
  readonly port: number
  readonly onChange: (change: Change) => void
  /** Called when the manifest may be another one. */
  readonly onBuilt: () => void
}

/** An app that is watched. */
export interface WatchedApp {
  /** What serves its files in place of the built ones; `null`: nothing does. */
  readonly source: DevSource | null
  /** The port of Vite; `null`: it has none. */
  readonly port: number | null
  /** Tells of what was wrong from the start; the host must be up. */
  begin(): Promise<void>
  close(): Promise<void>
}

const UNSETTLED =
  'files were saved during each of its first builds: save once more if the app does not show what they hold'

/**
 * Builds an app and watches it: the host and `onChange` are told of each change. With `hmr` an app that cannot be built
 * starts all the same. Errors: `build`.
 */
export async function watchApp(app: Project, parts: WatchParts): Promise<WatchedApp> {
  const { host, hmr, port, onChange, onBuilt } = parts
  const turns = openTurns()
  /** One after the other: a build that failed must not be told before an older one that was good. */
  const inTurn = (work: () => Promise<void>) => {
    turns(work).catch((error: unknown) => {
      onChange({ app: app.name, part: 'build', problem: buildSentence(error) })
    })
  }
  /** Called before windows load the app anew; returns what takes that back. */
  let onReload = () => () => {}
  /** Why the app cannot be built as it is; `null`: it can. */
  let wrong: unknown = null

  /** Tells the host of a finished build: of its files, or why there are none. `error`: `null` where it went well. */
  async function built(error: unknown): Promise<void> {
    const problem = error ?? (await reloaded())
    wrong = problem
    if (problem !== null)
      await host()?.apps.reportProblem(app.bundleDir, 'build', buildProblem(problem, app.dir))
    onChange({ app: app.name, part: 'build', problem: problem === null ? null : buildSentence(problem) })
    if (problem === null) await tellManifest()
    const found = problem === null ? await manifestLines(app) : []
    for (const note of found) onChange({ app: app.name, part: 'manifest', problem: null, note })
    onBuilt()
  }

  /** Shows in the windows what in the manifest cannot work; `null`: nothing. */
  const tellManifest = async () =>
    host()?.apps.reportProblem(app.bundleDir, 'manifest', await manifestProblem(app))

  /** Has the host read the app again; returns why it could not, or `null`. */
  async function reloaded(): Promise<unknown> {
    // Before the host tells windows: they are faster than its answer here.
    const stay = onReload()
    try {
      await checkManifestKeys(app)
      const { changed = false } = (await host()?.apps.reload(app.bundleDir)) ?? {}
      if (!changed) stay()
      return null
    } catch (error) {
      stay()
      return error
    }
  }

  if (!hmr || app.built === 'already') {
    const watching = await watchBundle(
      app,
      (error) => inTurn(() => built(error)),
      () => onChange({ app: app.name, part: 'build', problem: null, note: UNSETTLED }),
    )
    return {
      source: null,
      port: null,
      begin: async () => undefined,
      async close() {
        await watching.close()
        await turns(async () => undefined)
      },
    }
  }

  /** Whether the built files are older than those of `public`. */
  let isStale = false
  async function buildStale(): Promise<void> {
    if (!isStale) return
    isStale = false
    const error = await buildAgain(app)
    isStale ||= error !== null
    await built(error)
  }

  /** What the saved files held when windows got them: a watcher may tell of one save more than once. */
  const saved = new Map<string, string | null>()
  async function checked({ file, error }: Checked): Promise<void> {
    const note = path.relative(app.dir, file)
    const text = await readFile(file, 'utf8').catch(() => null)
    const isKnown = error === null && wrong === null && saved.get(file) === text
    saved.set(file, text)
    wrong = error
    await host()?.apps.reportProblem(
      app.bundleDir,
      'build',
      error === null ? null : buildProblem(error, app.dir),
    )
    const problem = error === null ? null : buildSentence(error)
    if (!isKnown) onChange({ app: app.name, part: 'module', problem, note })
    // What is wrong with a module fails builds too.
    if (error === null) await buildStale()
  }

  async function thrown(error: WindowError | null): Promise<void> {
    const problem = error && buildProblem(error, app.dir)
    await host()?.apps.reportProblem(app.bundleDir, 'app', problem)
    const note = problem?.hint ?? ''
    if (error) onChange({ app: app.name, part: 'app error', problem: buildSentence(error), note })
  }

  let seen = publicState(app)
  const first = await buildAgain(app)
  wrong = first
  if (first !== null) {
    isStale = true
    makeUnbuilt(app)
  }
  const hot = await openHotApp(app, {
    port,
    onChecked: (one) => inTurn(() => checked(one)),
    onThrown: (error) => inTurn(() => thrown(error)),
    onPublic() {
      // A watcher may tell of one save more than once.
      const now = publicState(app)
      if (now === seen) return
      seen = now
      isStale = true
      inTurn(buildStale)
    },
  }).catch((error: unknown) => {
    throw unbuilt(app.name, first ?? error)
  })
  onReload = hot.replaced
  // Nobody watched while the app was built first.
  const now = publicState(app)
  const isBehind = now !== seen
  seen = now
  isStale ||= isBehind
  return {
    source: hot.source,
    port: hot.port,
    begin: async () =>
      inTurn(async () => {
        if (wrong !== null) await built(wrong)
        else if (isBehind) await buildStale()
        else await tellManifest()
      }),
    async close() {
      await hot.close()
      await turns(async () => undefined)
    },
  }
}
