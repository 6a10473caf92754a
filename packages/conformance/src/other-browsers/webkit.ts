import type { Tab } from './tab.ts'
import { openSession } from './webdriver.ts'

/** Starts WebKitGTK's small browser for one tab. It does not say what it looks up. */
export async function openWebkit(dir: string): Promise<Tab> {
  const { send, close } = await openSession(dir)
  return {
    goto: (url) => send('POST', '/url', { url }).catch(() => undefined),
    async run(body, where = 'page') {
      await send('POST', '/frame', { id: null })
      if (where === 'frame') {
        const query = { using: 'css selector', value: 'iframe' }
        const frames = (await send('POST', '/elements', query)) as unknown[]
        await send('POST', '/frame', { id: frames.at(-1) })
      }
      const script = `const done = arguments[arguments.length - 1];
        (async () => { ${body} })().then((value) => done({ value }), (error) => done({ error: String(error) }))`
      const { value, error } = (await send('POST', '/execute/async', { script, args: [] })) as {
        value?: unknown
        error?: string
      }
      if (error) throw new Error(error)
      return value
    },
    names: () => new Set(),
    close,
  }
}
