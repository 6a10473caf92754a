import { deepEqual, equal, ok } from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as after } from 'node:timers/promises'
import type { SmallApp } from '../testing/app-folder.ts'
import { show } from '../testing/bridge-page.ts'
import { frameTroubles, sets, startFront } from '../testing/frame-troubles.ts'
import { isolatedApp, isolatedShows, isolating } from '../testing/isolated-app.ts'
import { leading, linksApp, SITE, staying, thenAsk } from '../testing/links-app.ts'
import { platformApp, platformRows } from '../testing/platform.ts'
import { shown, startBridge } from '../testing/tab-page.ts'
import { link, made, onPress, savings, wishesApps } from '../testing/wishes-app.ts'
import { lacks } from './known.ts'
import type { Scenario } from './scenarios.ts'
import { SAVED, type Tab } from './tab.ts'

const shows = (app: SmallApp): SmallApp => ({ ...app, script: show + app.script })
/** Whether the browser shows something; else says why not. */
function has(what: string): boolean {
  const reason = lacks[process.env.SVC_STORY_BROWSER ?? '']?.[what]
  if (reason !== undefined) console.log(`– ${what} (left out: ${reason})`)
  return reason === undefined
}
const WAITS = 100
const EACH_MS = 100

/** What the user gets by pressing a button in the document, which runs the body of an async function. */
async function press(tab: Tab, body: string): Promise<unknown> {
  await tab.run(onPress(body), 'frame')
  await tab.press('button')
  return tab.run('return await result', 'frame')
}

/** Leads away, and returns what the page is told of that. */
async function told(tab: Tab, way: string): Promise<unknown> {
  await tab.run('noted.length = 0')
  // A driver loses a script during which the document goes to another place in it.
  await tab.run(
    `setTimeout(async () => { document.body.innerHTML = ''; (() => { ${way} })(); ${thenAsk} })`,
    'frame',
  )
  return tab.run(`
    while (!noted.includes('tel:1')) await new Promise((done) => setTimeout(done, 20))
    return noted.filter((url) => url !== 'tel:1')`)
}

/** What a file that was saved holds, once it is whole. */
async function saved(dir: string, name: string, text: string): Promise<void> {
  let last = ''
  for (let n = 0; n < WAITS; n++) {
    last = await readFile(join(dir, SAVED, name), 'utf8').catch(String)
    if (last === text) return
    await after(EACH_MS)
  }
  throw new Error(`${name} holds ${last}, not ${text}`)
}

const printed = `let n = 0; addEventListener('beforeprint', () => { n++ }); print(); return n`
const note = `
  noted.length = 0
  win.on('refused', ({ method, code }) => noted.push(method + ' ' + code))
  win.on('download', ({ name, save }) => { noted.push(name); save() })`

/** How many threads of an app counted in one memory, in a page with an embedder policy whose apps may be isolated. */
async function threadsBehind(tab: Tab, url: string, policy: string): Promise<unknown> {
  const appId = await tab.run('return win.appId')
  const front = await startFront(url, sets(/^\/$/, isolating(policy)))
  try {
    await tab.goto(front.url)
    await tab.run(startBridge)
    await tab.run(`
      globalThis.bridge = bridgeApi.createBridge({ isolated: true })
      globalThis.win = await bridge.mountWindow({ into: document.body, appId: ${JSON.stringify(appId)} })`)
    const alone = policy === 'require-corp' && !has('workers in an isolated page') ? { worker: 'none' } : {}
    deepEqual(await shown(tab), { ...isolatedShows, ...alone })
    return await tab.run('return threads()', 'frame')
  } finally {
    await front.close()
  }
}

/** What apps have of their browser, and may ask of it. */
export const browserScenarios: readonly Scenario[] = [
  {
    name: 'an app has of the platform what ordinary apps use',
    app: platformApp,
    async prove({ tab }) {
      const tried = (await shown(tab)) as Readonly<Record<string, unknown>>
      for (const [name, [, result]] of Object.entries(platformRows))
        if (has(name)) deepEqual([name, tried[name]], [name, result])
    },
  },
  {
    name: 'a link, a form or open() leaves the document, and its page is told of other sites alone',
    app: shows(linksApp),
    async prove({ tab }) {
      equal(await shown(tab), 'ready')
      await tab.run(`win.on('open_link', ({ url }) => noted.push(url))`)
      for (const [name, way] of Object.entries(leading))
        deepEqual([name, await told(tab, way)], [name, [SITE]])
      for (const [name, way] of Object.entries(staying)) deepEqual([name, await told(tab, way)], [name, []])
      const mail = `add('<a id=x href="mailto:a@b.test">x</a>').click()`
      deepEqual(await told(tab, mail), ['mailto:a@b.test'])
    },
  },
  {
    name: 'an app that declares it saves files, writes to the clipboard, fills the screen and prints',
    app: shows(wishesApps.asks),
    async prove({ tab, dir }) {
      equal(await shown(tab), 'ready')
      await tab.run(note)
      for (const [, way, name, text] of savings) {
        await tab.run(way, 'frame')
        await saved(dir, name, text)
      }
      equal(await press(tab, `await navigator.clipboard.writeText('hello'); return 'written'`), 'written')
      equal(await tab.paste(), 'hello')
      equal(await tab.run('return document.fullscreenEnabled', 'frame'), true)
      if (has('filling the screen')) {
        equal(
          await press(tab, `await document.documentElement.requestFullscreen(); return 'filled'`),
          'filled',
        )
        await tab.run('await document.exitFullscreen()', 'frame')
      }
      if (has('print')) equal(await press(tab, printed), 1)
    },
  },
  {
    name: 'an app that declares nothing gets none of it, and its page is told',
    app: shows(wishesApps.silent),
    async prove({ tab }) {
      equal(await shown(tab), 'ready')
      await tab.run(note)
      const call = `return svc.window.download({ name: 'a', data: 'x' }).then(() => 'saved', ({ code }) => code)`
      equal(await tab.run(call, 'frame'), 'permission_denied')
      await tab.run(link(made, `a.download = 'a.txt';`), 'frame')
      const heard = await tab.run(`
        while (noted.length < 2) await new Promise((done) => setTimeout(done, 20))
        return noted`)
      deepEqual(heard, Array(2).fill('download permission_denied'))
      const name = `.then(() => 'done', ({ name }) => name)`
      equal(await press(tab, `return navigator.clipboard.writeText('hello')${name}`), 'NotAllowedError')
      equal(await press(tab, `return document.documentElement.requestFullscreen()${name}`), 'TypeError')
      equal(await press(tab, printed), 0)
    },
  },
  {
    name: 'an app has all of its own in a page that embeds only what allows it, and threads where there are any',
    app: shows(isolatedApp),
    async prove({ tab, url }) {
      deepEqual(await shown(tab), isolatedShows)
      const counted = has('threads in a frame') ? 1 : null
      for (const policy of ['require-corp', 'credentialless'])
        deepEqual([policy, await threadsBehind(tab, url, policy)], [policy, counted])
    },
  },
  {
    name: 'the reason why an app does not load has a name and a hint',
    app: shows({ script: `import { svc } from '@svc/sdk'; svc.ready` }),
    async prove({ tab, url }) {
      const appId = await tab.run('return win.appId')
      for (const { name, bends, reason, hint, until = 'loaded' } of frameTroubles) {
        const front = await startFront(url, ...bends)
        try {
          await tab.goto(front.url)
          await tab.run(startBridge)
          const told = (await tab.run(`
            const since = performance.now()
            const { details = {} } = await bridge.mountWindow({ into: document.body, appId: ${JSON.stringify(appId)}, until: '${until}', timeoutMs: 25_000 }).catch((error) => error)
            return [details.reason, String(details.hint), performance.now() - since]`)) as [
            unknown,
            string,
            number,
          ]
          deepEqual([name, ...told.slice(0, 2)], [name, reason, told[1].includes(hint) ? told[1] : hint])
          ok(told[2] < 20_000, `${name}: after ${told[2]} ms`)
        } finally {
          await front.close()
        }
      }
    },
  },
  {
    name: 'a window works in a frame of its page, and where it is moved to',
    app: shows({ script: `import { svc } from '@svc/sdk'; svc.ready.then(() => show('ready'))` }),
    async prove({ tab }) {
      equal(await shown(tab), 'ready')
      const moved = `
        const inner = document.body.appendChild(document.createElement('iframe'))
        const again = new Promise((done) => win.on('connected', done))
        inner.contentDocument.body.append(win.iframe)
        await again
        return win.connected`
      equal(await tab.run(moved), true)
      const opened = `
        const inner = document.body.appendChild(document.createElement('iframe'))
        const other = await bridge.mountWindow({ into: inner.contentDocument.body, appId: win.appId, until: 'connected' })
        return other.connected`
      equal(await tab.run(opened), true)
    },
  },
]
