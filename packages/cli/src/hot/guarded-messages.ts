import type { Plugin } from 'vite'

type Listener = (...said: unknown[]) => unknown

/** What a window sends is what its app wants: a listener that cannot read it must not end this process. */
export const guardedMessages: Plugin = {
  name: 'svc:guarded-messages',
  apply: 'serve',
  // Before the listeners of Vite and of other plugins are there.
  enforce: 'pre',
  configureServer({ environments: { client } }) {
    const hot = client.hot as { on: (event: string, listener: Listener) => void }
    const on = hot.on.bind(hot)
    hot.on = (event, listener) => on(event, guarded(listener))
  },
}

const guarded =
  (listener: Listener): Listener =>
  async (...said) => {
    try {
      await listener(...said)
    } catch {
      // It is no message of the client, and nobody else is told of it.
    }
  }
