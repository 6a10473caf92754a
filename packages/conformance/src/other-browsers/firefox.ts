import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout } from 'node:timers/promises'
import { namesUnder, type Tab } from './tab.ts'

/** Where Debian keeps it, the extended support release first. */
export const FIREFOX =
  ['/usr/bin/firefox-esr', '/usr/bin/firefox'].find((path) => existsSync(path)) ?? '/usr/bin/firefox-esr'

/** As its users have it, but silent by itself, with every name on this machine. */
const prefs = {
  'remote.prefs.recommended': false,
  'network.dns.native-is-localhost': true,
  'network.trr.mode': 5,
  'dom.min_background_timeout_value': 4,
  'dom.timeout.enable_budget_timer_throttling': false,
  'media.peerconnection.ice.loopback': true,
  'media.peerconnection.ice.obfuscate_host_addresses': false,
  'browser.shell.checkDefaultBrowser': false,
  'datareporting.policy.dataSubmissionEnabled': false,
  'toolkit.telemetry.enabled': false,
  'app.normandy.enabled': false,
  'app.update.auto': false,
  'browser.safebrowsing.downloads.enabled': false,
  'services.settings.server': 'data:,#remote-settings-dummy/v1',
  'network.captive-portal-service.enabled': false,
  'network.connectivity-service.enabled': false,
}

/** One command: a script may wait. */
const COMMAND_MAX_MS = 60_000

/** Starts a Firefox with an empty profile in `dir`, and speaks WebDriver BiDi to it. */
export async function openFirefox(dir: string): Promise<Tab> {
  writeFileSync(
    join(dir, 'user.js'),
    Object.entries(prefs)
      .map(([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});\n`)
      .join(''),
  )
  const log = { MOZ_LOG: 'sync,nsHostResolver:5', MOZ_LOG_FILE: join(dir, 'log') }
  const args = ['--headless', '--no-remote', '--remote-debugging-port=0', '--profile', dir, 'about:blank']
  const child = spawn(FIREFOX, args, {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: Object.assign({}, process.env, log, { HOME: dir }),
  })
  const exited = once(child, 'exit')
  const address = await addressOf(createInterface(child.stderr))
  const socket = new WebSocket(`${address}/session`)
  await once(socket, 'open')
  const waiting = new Map<number, (text: string) => void>()
  socket.addEventListener('message', ({ data }) => {
    waiting.get(JSON.parse(String(data)).id)?.(String(data))
  })
  let last = 0
  async function send(method: string, params: object) {
    const id = ++last
    socket.send(JSON.stringify({ id, method, params }))
    const late = setTimeout(COMMAND_MAX_MS, undefined, { ref: false }).then(() => {
      throw new Error(`${method}: no answer within ${COMMAND_MAX_MS} ms`)
    })
    const told = new Promise<string>((done) => waiting.set(id, done))
    const answer = JSON.parse(await Promise.race([told, late]))
    if (answer.type === 'error') throw new Error(`${method}: ${answer.message}`)
    return answer.result
  }
  await send('session.new', { capabilities: {} })
  const { context } = await send('browsingContext.create', { type: 'tab' })
  return {
    goto: (url) =>
      Promise.race([
        send('browsingContext.navigate', { context, url, wait: 'interactive' }).catch(() => undefined),
        setTimeout(8000),
      ]),
    async run(body, where = 'page') {
      const tree = await send('browsingContext.getTree', { root: context })
      const target = where === 'page' ? context : tree.contexts[0].children.at(-1)?.context
      const functionDeclaration = `async () => JSON.stringify(await (async () => { ${body} })())`
      const { type, result, exceptionDetails } = await send('script.callFunction', {
        functionDeclaration,
        awaitPromise: true,
        target: { context: target },
      })
      if (type !== 'success') throw new Error(exceptionDetails.text)
      return result.value === undefined ? undefined : JSON.parse(result.value)
    },
    names: (domain) =>
      namesUnder(
        domain,
        readdirSync(dir)
          .filter((name) => name.startsWith('log'))
          .map((name) => readFileSync(join(dir, name), 'latin1'))
          .join('\n'),
      ),
    async close() {
      child.kill()
      await exited
    },
  }
}

async function addressOf(lines: AsyncIterable<string>): Promise<string> {
  for await (const line of lines) {
    const [, address] = /BiDi listening on (ws:\S+)/.exec(line) ?? []
    if (address) return address
  }
  throw new Error('Firefox ended before it could be driven')
}
