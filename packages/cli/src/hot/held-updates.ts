import type { DevEnvironment, EnvironmentModuleNode, Plugin } from 'vite'

/** What a saved file came to. */
export interface Checked {
  /** The file. */
  readonly file: string
  /** Why windows stay as they were: the error of a module that cannot be compiled. `null`: they have the change. */
  readonly error: unknown
}

/**
 * Compiles what was saved before windows are told of it, and tells them of nothing while a module cannot be compiled: they
 * stay as they were, where Vite would reload them into nothing. `onChecked` gets what came of each saved module, and of each file that a
 * window asked for in vain.
 */
export function openHeldUpdates(onChecked: (checked: Checked) => void) {
  /** The errors of what cannot be compiled, by file. */
  const failed = new Map<string, unknown>()
  /** What was saved since, and windows do not have yet. */
  const held = new Set<EnvironmentModuleNode>()
  /** Whether a window asked for something and got an error: only a reload brings it. */
  let wasAsked = false
  /** What was saved last: errors of frameworks do not always name a file. */
  let last = ''
  const firstError = () => failed.values().next().value ?? null

  /** Compiles modules; returns whether one accepts its own updates only now, which no window knows. */
  async function compile(environment: DevEnvironment, modules: Iterable<EnvironmentModuleNode>) {
    let acceptsAnew = false
    for (const module of modules) {
      const accepted = module.isSelfAccepting
      await environment.transformRequest(module.url).catch((error: unknown) => {
        if (!isOver(error)) failed.set(module.file ?? module.url, error)
      })
      if (accepted === false && module.isSelfAccepting) acceptsAnew = true
    }
    return acceptsAnew
  }

  /** Compiles what failed again, after a window got an error: it may have been mended while that was on its way. */
  async function compileFailed(environment: DevEnvironment): Promise<void> {
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
    if (before.length === 0 || failed.size > 0) return
    wasAsked = false
    held.clear()
    onChecked({ file: before[0]?.[0] ?? '', error: null })
    environment.hot.send({ type: 'full-reload', path: '*' })
  }

  const plugin: Plugin = {
    name: 'svc:held-updates',
    apply: 'serve',
    // Behind plugins of frameworks, which say which modules a file is, and compare what they are with what they were.
    enforce: 'post',
    configureServer(server) {
      const { hot } = server.environments.client
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
      async handler({ modules, type, file }) {
        const { environment } = this
        if (environment.name !== 'client' || (modules.length === 0 && failed.size === 0)) return
        const { moduleGraph } = environment
        // A deleted file is wrong only where it is still imported.
        const saved = type === 'delete' ? modules.flatMap(({ importers }) => [...importers]) : modules
        const again = [...failed.keys()].flatMap((name) => [...(moduleGraph.getModulesByFile(name) ?? [])])
        failed.clear()
        // Vite has forgotten what it compiled of a file that was changed, and of no other.
        for (const module of [...saved, ...again])
          if (type === 'delete' || !modules.includes(module)) moduleGraph.invalidateModule(module)
        const acceptsAnew = await compile(environment, new Set([...saved, ...again]))
        const error = firstError()
        onChecked({ file, error })
        for (const module of modules) held.add(module)
        if (error !== null) return []
        const due = [...held]
        const mustReload = acceptsAnew || wasAsked
        held.clear()
        wasAsked = false
        if (!mustReload) return due
        environment.hot.send({ type: 'full-reload', path: '*' })
        return []
      },
    },
  }
  const noteSaved: Plugin = {
    name: 'svc:note-saved',
    apply: 'serve',
    hotUpdate: {
      order: 'pre',
      async handler({ type, file, read }) {
        last = file
        // An editor may empty a file before it writes it: this waits for what it writes.
        if (type !== 'delete') await read()
      },
    },
  }
  return {
    plugins: [noteSaved, plugin],
    /** A window got an error in place of a file. */
    noteAsked: compileFailed,
  }
}

interface Told {
  readonly id?: string
  readonly code?: string
  readonly loc?: { readonly file?: string }
}

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
