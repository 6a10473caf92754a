import path from 'node:path'
import { type Plugin, resolveConfig } from 'vite'
import { withNodeEnv } from '../project/build.ts'
import { openTurns } from '../project/turns.ts'
import type { Checked } from './held-updates.ts'

/** What is followed besides modules. */
export interface RestartParts {
  /** Called after the configuration was saved: with what is wrong with it, or once Vite runs with the new one. */
  readonly onChecked: (checked: Checked) => void
  /** Called after a file of the app's `public` was saved. */
  readonly onPublic: () => void
}

/**
 * Follows the configuration of Vite, which starts again after a save of it, and the folder `public`. A configuration that
 * cannot be used is told, and the one before stays.
 */
export function openRestarts({ onChecked, onPublic }: RestartParts) {
  let isClosed = false
  let running: Promise<unknown> = Promise.resolve()
  const inTurn = openTurns()

  const plugin: Plugin = {
    name: 'svc:restarts',
    apply: 'serve',
    configureServer(server) {
      const { config, watcher } = server
      const { publicDir, configFile, inlineConfig } = config
      watcher.on('all', (_, file) => {
        if (publicDir !== '' && path.resolve(file).startsWith(publicDir + path.sep)) onPublic()
      })
      const restart = server.restart.bind(server)
      async function restartOnce(forced?: boolean): Promise<void> {
        const file = configFile ?? ''
        const error: unknown = await withNodeEnv('development', () =>
          resolveConfig(inlineConfig, 'serve', 'development'),
        ).then(
          () => null,
          (reason: unknown) => inFile(reason, file),
        )
        if (isClosed) return
        if (error === null) {
          const restarted = withNodeEnv('development', () => restart(forced))
          running = restarted.catch(() => undefined)
          await restarted
        }
        onChecked({ file, error })
      }
      server.restart = (forced) =>
        inTurn(async () => {
          if (!isClosed) await restartOnce(forced)
        })
    },
  }
  return {
    plugin,
    /**
     * Resolves once Vite is not starting again. Windows hear of the new server while the old one still answers: what they
     * load from it would be of the old configuration for good.
     */
    settled: () => running,
    /** Restarts no more; resolves once one that is under way has ended. */
    async close(): Promise<void> {
      isClosed = true
      await inTurn(async () => undefined)
    },
  }
}

/** An error of a configuration; one that says no place is in its file. */
function inFile(error: unknown, file: string): unknown {
  if (typeof error !== 'object' || error === null || 'errors' in error) return error
  const { message } = error as { readonly message?: string }
  return { message: message ?? String(error), id: file }
}
