import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { setTimeout } from 'node:timers/promises'

const machine = process.arch === 'arm64' ? 'aarch64' : 'x86_64'
/** Where Debian keeps its parts. */
export const WEBKIT = {
  driver: '/usr/bin/WebKitWebDriver',
  browser: `/usr/lib/${machine}-linux-gnu/webkit2gtk-4.1/MiniBrowser`,
}

const SCREEN = '-screen 0 1920x1200x24'
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
const START_MAX_MS = 60_000
/** One command: a click, or a script that waits. */
const COMMAND_MAX_MS = 60_000

/** By this key it hands over an element. */
export const ELEMENT = 'element-6066-11e4-a52e-4f735466cecf'

/** A session of WebDriver: each command goes to a path below it, and resolves with its value. */
export interface Session {
  send(method: string, path: string, body?: object): Promise<unknown>
  close(): Promise<void>
}

/** Starts WebKitGTK's small browser on a display of its own, with an empty profile in `dir`. */
export async function openSession(dir: string): Promise<Session> {
  const port = await freePort()
  const child = spawn('xvfb-run', ['-a', '-s', SCREEN, WEBKIT.driver, `--port=${port}`, '--host=127.0.0.1'], {
    stdio: 'ignore',
    detached: true,
    // Without a language of a person, as on a server, WebKit names languages that do not exist.
    env: {
      ...process.env,
      HOME: dir,
      LANG: 'C.UTF-8',
      LC_ALL: 'C.UTF-8',
      WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: '1',
    },
  })
  const exited = once(child, 'exit')
  /** Ends all that it started: the display, the driver and the browser are one process group. */
  function endGroup(): void {
    if (child.pid && child.exitCode === null && child.signalCode === null) process.kill(-child.pid)
  }
  const onSignal = () => {
    endGroup()
    process.exit(1)
  }
  for (const signal of SIGNALS) process.once(signal, onSignal)
  async function end(): Promise<void> {
    for (const signal of SIGNALS) process.off(signal, onSignal)
    endGroup()
    await exited
  }
  async function send(method: string, path: string, body?: object): Promise<unknown> {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      signal: AbortSignal.timeout(COMMAND_MAX_MS),
      ...(body && { body: JSON.stringify(body) }),
    })
    const { value } = JSON.parse(await response.text())
    if (!response.ok) throw new Error(`${path.split('/').at(-1)}: ${value.error}: ${value.message}`)
    return value
  }
  try {
    const until = performance.now() + START_MAX_MS
    while (!(await send('GET', '/status').catch(() => undefined))) {
      if (performance.now() > until) throw new Error('WebKitWebDriver does not listen')
      await setTimeout(50)
    }
    const alwaysMatch = { 'webkitgtk:browserOptions': { binary: WEBKIT.browser, args: ['--automation'] } }
    const { sessionId } = (await send('POST', '/session', { capabilities: { alwaysMatch } })) as {
      sessionId: string
    }
    const session = `/session/${sessionId}`
    await send('POST', `${session}/timeouts`, { script: 50_000, pageLoad: 20_000 })
    return {
      send: (method, path, body) => send(method, `${session}${path}`, body),
      async close() {
        await send('DELETE', session).catch(() => undefined)
        await end()
      },
    }
  } catch (error) {
    await end()
    throw error
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
