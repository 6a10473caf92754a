import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { field } from '../testing/tab-page.ts'
import { SAVED, type Tab } from './tab.ts'
import { ELEMENT, openSession } from './webdriver.ts'

/** Starts WebKitGTK's small browser for one tab. It does not say what it looks up. */
export async function openWebkit(dir: string): Promise<Tab> {
  mkdirSync(join(dir, '.config'), { recursive: true })
  writeFileSync(join(dir, '.config', 'user-dirs.dirs'), `XDG_DOWNLOAD_DIR="$HOME/${SAVED}"\n`)
  mkdirSync(join(dir, SAVED), { recursive: true })
  const { send, close } = await openSession(dir)
  const all = async (value: string) =>
    (await send('POST', '/elements', { using: 'css selector', value })) as Readonly<Record<string, string>>[]
  async function enter(where: 'page' | 'frame'): Promise<void> {
    await send('POST', '/frame', { id: null })
    if (where === 'frame') await send('POST', '/frame', { id: (await all('iframe')).at(-1) })
  }
  async function command(selector: string, name: string, body: object): Promise<void> {
    const [found] = await all(selector)
    await send('POST', `/element/${found?.[ELEMENT]}/${name}`, body)
  }
  const tab: Tab = {
    goto: (url) => send('POST', '/url', { url }).catch(() => undefined),
    async run(body, where = 'page') {
      await enter(where)
      const script = `const done = arguments[arguments.length - 1];
        (async () => { ${body} })().then((value) => done({ value }), (error) => done({ error: String(error) }))`
      const { value, error } = (await send('POST', '/execute/async', { script, args: [] })) as {
        value?: unknown
        error?: string
      }
      if (error) throw new Error(error)
      return value
    },
    async press(selector) {
      await enter('frame')
      await command(selector, 'click', {})
    },
    async paste() {
      await tab.run(field)
      await command('.pasted', 'value', { text: '\uE009v' })
      return tab.run('return field.value')
    },
    names: () => new Set(),
    close,
  }
  return tab
}
