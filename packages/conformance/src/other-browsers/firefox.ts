import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout } from 'node:timers/promises'
import { field } from '../testing/tab-page.ts'
import { namesUnder, SAVED, type Tab } from './tab.ts'

/** Where Debian keeps it, the extended support release first. */
export const FIREFOX =
  ['/usr/bin/firefox-esr', '/usr/bin/firefox'].find((path) => existsSync(path)) ?? '/usr/bin/firefox-esr'

/** As its users have it, but silent by itself, with every name on this machine. */
const prefsIn = (dir: string) => ({
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
  'browser.download.folderList': 2,
  'browser.download.dir': join(dir, SAVED),
  'browser.download.always_ask_before_handling_new_types': false,
  'print.always_print_silent': true,
  print_printer: 'Mozilla Save to PDF',
  'print.printer_Mozilla_Save_to_PDF.print_to_file': true,
  'print.printer_Mozilla_Save_to_PDF.print_to_filename': join(dir, 'printed.pdf'),
})

/** A page that does not load. */
const LOAD_MAX_MS = 20_000
/** One command: a script may wait. */
const COMMAND_MAX_MS = 60_000

/** Starts a Firefox with an empty profile in `dir`, and speaks WebDriver BiDi to it. */
export async function openFirefox(dir: string): Promise<Tab> {
  writeFileSync(
    join(dir, 'user.js'),
    Object.entries(prefsIn(dir))
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
  await send('browsingContext.activate', { context })
  async function contextOf(where: 'page' | 'frame'): Promise<string> {
    if (where === 'page') return context
    const tree = await send('browsingContext.getTree', { root: context })
    return tree.contexts[0].children.at(-1)?.context
  }
  const tab: Tab = {
    goto: (url) =>
      Promise.race([
        send('browsingContext.navigate', { context, url, wait: 'interactive' }).catch(() => undefined),
        setTimeout(LOAD_MAX_MS),
      ]),
    async run(body, where = 'page') {
      const target = await contextOf(where)
      const functionDeclaration = `async () => JSON.stringify(await (async () => { ${body} })())`
      const { type, result, exceptionDetails } = await send('script.callFunction', {
        functionDeclaration,
        awaitPromise: true,
        target: { context: target },
      })
      if (type !== 'success') throw new Error(exceptionDetails.text)
      return result.value === undefined ? undefined : JSON.parse(result.value)
    },
    async press(value) {
      const frame = await contextOf('frame')
      const { nodes } = await send('browsingContext.locateNodes', {
        context: frame,
        locator: { type: 'css', value },
      })
      const origin = { type: 'element', element: { sharedId: nodes[0]?.sharedId } }
      const actions = [
        { type: 'pointerMove', x: 0, y: 0, origin },
        { type: 'pointerDown', button: 0 },
        { type: 'pointerUp', button: 0 },
      ]
      await send('input.performActions', {
        context: frame,
        actions: [{ type: 'pointer', id: 'mouse', actions }],
      })
    },
    async paste() {
      await tab.run(field)
      const actions = ['\uE009', 'v'].flatMap((value) => [{ type: 'keyDown', value }])
      await send('input.performActions', { context, actions: [{ type: 'key', id: 'keys', actions }] })
      await send('input.releaseActions', { context })
      return tab.run('return field.value')
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
  return tab
}

async function addressOf(lines: AsyncIterable<string>): Promise<string> {
  for await (const line of lines) {
    const [, address] = /BiDi listening on (ws:\S+)/.exec(line) ?? []
    if (address) return address
  }
  throw new Error('Firefox ended before it could be driven')
}
