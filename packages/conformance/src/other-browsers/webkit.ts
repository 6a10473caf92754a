import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout } from 'node:timers/promises'
import type { Tab } from './tab.ts'

const PORT = 47_655
const machine = process.arch === 'arm64' ? 'aarch64' : 'x86_64'
/** Where Debian keeps its parts. */
export const WEBKIT = {
  driver: '/usr/bin/WebKitWebDriver',
  browser: `/usr/lib/${machine}-linux-gnu/webkit2gtk-4.1/MiniBrowser`,
}

/** Starts WebKitGTK's small browser on a display of its own, and speaks WebDriver to it. It does not say what it looks up. */
export async function openWebkit(): Promise<Tab> {
  const child = spawn('xvfb-run', ['-a', WEBKIT.driver, `--port=${PORT}`, '--host=127.0.0.1'], {
    stdio: 'ignore',
    detached: true,
    env: Object.assign({}, process.env, { WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: '1' }),
  })
  const exited = once(child, 'exit')
  async function send(method: string, route: string, body?: object) {
    const response = await fetch(`http://127.0.0.1:${PORT}${route}`, {
      method,
      ...(body && { body: JSON.stringify(body) }),
    })
    const { value } = JSON.parse(await response.text())
    if (!response.ok) throw new Error(`${route}: ${value.message}`)
    return value
  }
  for (let left = 100; !(await send('GET', '/status').catch(() => undefined)); left--) {
    if (left === 0) throw new Error('WebKitWebDriver does not listen')
    await setTimeout(100)
  }
  const alwaysMatch = { 'webkitgtk:browserOptions': { binary: WEBKIT.browser, args: ['--automation'] } }
  const { sessionId } = await send('POST', '/session', { capabilities: { alwaysMatch } })
  const session = `/session/${sessionId}`
  await send('POST', `${session}/timeouts`, { script: 20_000, pageLoad: 8_000 })
  return {
    goto: (url) => send('POST', `${session}/url`, { url }).catch(() => undefined),
    async run(body, where = 'page') {
      await send('POST', `${session}/frame`, { id: null })
      if (where === 'frame') {
        const [last] = (
          await send('POST', `${session}/elements`, { using: 'css selector', value: 'iframe' })
        ).slice(-1)
        await send('POST', `${session}/frame`, { id: last })
      }
      const script = `const done = arguments[arguments.length - 1];
        (async () => { ${body} })().then((value) => done({ value }), (error) => done({ error: String(error) }))`
      const { value, error } = await send('POST', `${session}/execute/async`, { script, args: [] })
      if (error) throw new Error(error)
      return value
    },
    names: () => new Set(),
    async close() {
      await send('DELETE', session).catch(() => undefined)
      if (child.pid) process.kill(-child.pid)
      await exited
    },
  }
}
