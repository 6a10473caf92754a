import type { Plugin, ViteDevServer } from 'vite'
import { stampOf } from '../project/stamp.ts'

/** The watcher of Vite passes over what is written within 50 ms of the write before. */
const PASSED_OVER_MS = 60

/**
 * Sees to it that the last write of a file counts. An editor may empty a file before it writes it, a formatter may write it
 * again at once, and the watcher tells only of the first. `onSaved` gets each saved file first.
 */
export function openWholeSaves(onSaved: (file: string) => void): Plugin {
  let timers = new Map<string, NodeJS.Timeout>()

  /** Tells of a file once more, where it was written after it was read. */
  function lookAgain({ watcher }: ViteDevServer, file: string): void {
    const before = stampOf(file)
    clearTimeout(timers.get(file))
    const timer = setTimeout(() => {
      timers.delete(file)
      if (stampOf(file) === before) return
      watcher.emit('change', file)
      // As the watcher itself does: `public` is followed by this.
      watcher.emit('all', 'change', file)
    }, PASSED_OVER_MS)
    timers.set(file, timer)
  }

  return {
    name: 'svc:whole-saves',
    apply: 'serve',
    configureServer(server) {
      // Of the configuration of Vite no hook is told.
      for (const event of ['add', 'change'] as const)
        server.watcher.on(event, (file) => lookAgain(server, file))
    },
    hotUpdate: {
      order: 'pre',
      async handler({ type, file, read }) {
        if (this.environment.name !== 'client') return undefined
        onSaved(file)
        if (type === 'delete') return undefined
        // This waits for what is written into an empty file. One that is gone by then, as those that editors make beside
        // the sources, is no save.
        try {
          await read()
        } catch (error) {
          if (!isGone(error)) throw error
          return []
        }
        return undefined
      },
    },
    buildEnd() {
      for (const timer of timers.values()) clearTimeout(timer)
      timers = new Map()
    },
  }
}

const isGone = (error: unknown) => error instanceof Error && 'code' in error && error.code === 'ENOENT'
