import { svc } from '@svc/sdk'

/** The document of the windows that a tab is soaked with: it gives its window a title when it is connected, and streams where it is asked to. */
await svc.window.set_title({ title: 'ready' })
Object.assign(globalThis, {
  soak: {
    /** One run; settles with how many pieces of text came. */
    async stream(words: number): Promise<number> {
      const chat = await svc.agent.session({ submode: 'auto' })
      const run = await chat.run('word '.repeat(words))
      let pieces = 0
      for await (const _ of run.text()) pieces += 1
      await chat.delete()
      return pieces
    },
  },
})
