import type { DevEnvironment, EnvironmentModuleNode, HotUpdateOptions, Plugin } from 'vite'
import { openTurns } from '../project/turns.ts'
import { openGoodTexts } from './good-texts.ts'
import { missingExport } from './missing-exports.ts'
import { openWholeSaves } from './whole-saves.ts'

/** What a saved file came to. */
export interface Checked {
  /** The file. */
  readonly file: string
  /** Why windows stay as they were: the error of a module that cannot be compiled. `null`: they have the change. */
  readonly error: unknown
}

/**
 * Compiles what was saved, and what that imports anew, before windows are told of it. While something cannot be compiled,
 * open windows stay as they are, and those that are opened get what was good last. `onChecked` gets what came of each saved
 * file, and of each file that a window asked for in vain because it was never good.
 */
export function openHeldUpdates(onChecked: (checked: Checked) => void) {
  const good = openGoodTexts()
  /** The errors of what cannot be compiled, by file. */
  const failed = new Map<string, unknown>()
  /** What was saved since, and windows do not have yet. */
  const held = new Set<EnvironmentModuleNode>()
  /** Whether a window asked for something and got an error: only a reload brings it. */
  let wasAsked = false
  /** What was saved last: errors of frameworks do not always name a file. */
  let last = ''
  const firstError = () => failed.values().next().value ?? null
  /** Vite tells of a save while it still waits for what came of the one before. */
  const inTurn = openTurns()

  /** Compiles modules and what they import anew; returns whether one accepts its own updates only now, which no window knows. */
  async function compile(environment: DevEnvironment, modules: Iterable<EnvironmentModuleNode>) {
    let acceptsAnew = false
    const compiled = new Set(modules)
    // What is added while this runs is compiled too.
    for (const module of compiled) {
      const accepted = module.isSelfAccepting
      await environment.transformRequest(module.url).catch((error: unknown) => {
        if (!isOver(error)) failed.set(module.file ?? module.url, error)
      })
      if (accepted === false && module.isSelfAccepting) acceptsAnew = true
      for (const imported of module.importedModules)
        if (imported.transformResult === null && isOwnCode(imported)) compiled.add(imported)
    }
    return acceptsAnew
  }

  /** Compiles what failed again, after a window got an error for `url`: it may have been mended while that was on its way. */
  async function compileFailed(environment: DevEnvironment, url: string): Promise<void> {
    wasAsked = true
    const { moduleGraph } = environment
    const before = [...failed]
    for (const [name] of before) {
      const modules = [...(moduleGraph.getModulesByFile(name) ?? [])]
      if (modules.length === 0) continue
      failed.delete(name)
      for (const module of modules) moduleGraph.invalidateModule(module)
      await compile(environment, modules)
    }
    if (failed.size > 0) good.serve(moduleGraph, held)
    if (before.length === 0 || failed.size > 0) return
    try {
      // The file that an error names may be good by itself.
      await environment.transformRequest(url)
    } catch {
      for (const [name, error] of before) failed.set(name, error)
      return
    }
    wasAsked = false
    held.clear()
    onChecked({ file: before[0]?.[0] ?? '', error: null })
    environment.hot.send({ type: 'full-reload', path: '*' })
  }

  /** Says which modules windows get now. */
  async function hold(environment: DevEnvironment, { modules, type, file }: HotUpdateOptions) {
    if (environment.name !== 'client' || (modules.length === 0 && failed.size === 0)) return
    const { moduleGraph } = environment
    // A deleted file is wrong only where it is still imported.
    const saved = type === 'delete' ? modules.flatMap(({ importers }) => [...importers]) : modules
    const again = [...failed.keys()].flatMap((name) => [...(moduleGraph.getModulesByFile(name) ?? [])])
    const changed = new Set([...saved, ...again, ...held])
    failed.clear()
    for (const module of modules) held.add(module)
    // A window may have asked for what was saved while it was only half written.
    for (const module of changed) moduleGraph.invalidateModule(module)
    const acceptsAnew = await compile(environment, changed)
    const missing = failed.size === 0 ? await missingExport(environment, changed) : null
    if (missing !== null) failed.set(missing.id, missing)
    const error = firstError()
    if (error !== null) good.serve(moduleGraph, [...changed, ...held])
    onChecked({ file, error })
    if (error !== null) return []
    good.note(changed)
    const due = [...held]
    const mustReload = acceptsAnew || wasAsked
    held.clear()
    wasAsked = false
    if (!mustReload) return due
    environment.hot.send({ type: 'full-reload', path: '*' })
    return []
  }

  const plugin: Plugin = {
    name: 'svc:held-updates',
    apply: 'serve',
    // Behind plugins of frameworks, which say which modules a file is, and compare what they are with what they were.
    enforce: 'post',
    configureServer(server) {
      const { hot, moduleGraph } = server.environments.client
      // Vite that starts again has other modules, and windows load all of them.
      failed.clear()
      held.clear()
      // Before Vite forgets what it compiled.
      for (const event of ['change', 'unlink'] as const)
        server.watcher.prependListener(event, (file) => good.note(moduleGraph.getModulesByFile(file)))
      const send = hot.send.bind(hot)
      hot.send = (...said: unknown[]) => {
        const [payload] = said
        if (isError(payload) && !isOver(payload.err)) {
          const file = payload.err.loc?.file ?? payload.err.id ?? last
          failed.set(file, { ...payload.err, id: file })
          onChecked({ file, error: firstError() })
        }
        send(...(said as Parameters<typeof send>))
      }
    },
    hotUpdate: {
      order: 'post',
      handler(options) {
        const { environment } = this
        return inTurn(() => hold(environment, options))
      },
    },
  }
  const noteSaved = (file: string) => {
    last = file
  }
  return {
    plugins: [openWholeSaves(noteSaved), plugin],
    /** A window got an error in place of a file. */
    noteAsked: (environment: DevEnvironment, url: string) => inTurn(() => compileFailed(environment, url)),
  }
}

interface Told {
  readonly id?: string
  readonly code?: string
  readonly loc?: { readonly file?: string }
}

/** Whether a module is code that is compiled, and no part of a package. */
const isOwnCode = ({ type, file }: EnvironmentModuleNode) =>
  type !== 'asset' && file !== null && !file.includes('/node_modules/')

const isError = (payload: unknown): payload is { readonly err: Told } =>
  typeof payload === 'object' && payload !== null && 'type' in payload && payload.type === 'error'

/** Whether a module was not compiled because the server ends, or finds that it needs other dependencies. */
const isOver = (error: unknown): boolean =>
  typeof error === 'object' &&
  error !== null &&
  'code' in error &&
  ['ERR_CLOSED_SERVER', 'ERR_OUTDATED_OPTIMIZED_DEP', 'ERR_OPTIMIZE_DEPS_PROCESSING_ERROR'].includes(
    String(error.code),
  )
