import type { Plugin } from 'vite'

/**
 * Vite keeps a reload that no window gets for the first one that connects. A document that was read since has what the
 * reload was for, and would lose its state: only one that was read before gets it. Errors are not kept at all, because they
 * are shown over the window.
 */
export function openLateReloads() {
  /** Whether a reload waits for a window that has its document, and no socket yet. */
  let isDue = false
  const plugin: Plugin = {
    name: 'svc:late-reloads',
    apply: 'serve',
    configureServer({ ws, environments }) {
      const { hot } = environments.client
      const send = hot.send.bind(hot)
      hot.send = (...said: unknown[]) => {
        const type = typeOf(said[0])
        if (ws.clients.size > 0 || (type !== 'full-reload' && type !== 'error'))
          return send(...(said as Parameters<typeof send>))
        isDue ||= type === 'full-reload'
      }
      hot.on('vite:client:connect', (_, client) => {
        if (isDue) client.send({ type: 'full-reload', path: '*' })
        isDue = false
      })
    },
  }
  return {
    plugin,
    /** A window reads its document. */
    noteDocument(): void {
      isDue = false
    },
  }
}

const typeOf = (payload: unknown) =>
  typeof payload === 'object' && payload !== null && 'type' in payload ? payload.type : undefined
