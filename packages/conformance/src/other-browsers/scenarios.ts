import { deepEqual, equal, notEqual, ok } from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as after } from 'node:timers/promises'
import { type SmallApp, writeApps } from '../testing/app-folder.ts'
import { show } from '../testing/bridge-page.ts'
import { openFakeProvider } from '../testing/fake-provider.ts'
import { startPageHost } from '../testing/page-host.ts'
import { agentApp, recital, recites, wholeRecital } from '../testing/reciter-app.ts'
import { canSwap, swaps } from '../testing/swaps.ts'
import { mount, shown, startBridge } from '../testing/tab-page.ts'
import { workerApp, workerShows } from '../testing/worker-app.ts'
import { browserScenarios } from './browser-scenarios.ts'
import { otherSiteScenario } from './other-site-scenario.ts'
import { proxyScenarios } from './proxy-scenarios.ts'
import type { Tab } from './tab.ts'

/** What must hold in every browser between a page, the documents in it, and the host. */
export interface Scenario {
  readonly name: string
  readonly app: SmallApp
  /** `dir` is the folder of the browser's profile, `name` that of the app. */
  readonly prove: (
    at: { readonly tab: Tab } & Readonly<Record<'url' | 'dir' | 'name', string>>,
  ) => Promise<void>
}

const withSdk = (script: string): SmallApp => ({
  script: `import { svc } from '@svc/sdk'; ${show} ${script}`,
})
const note = `addEventListener('message', ({ data }) => { if (data?.note !== undefined) noted.push(data.note) })`
/** Waits in the page until something was noted so often; returns all notes. */
const notes = (count: number) => `
  while (noted.length < ${count}) await new Promise((done) => setTimeout(done, 20))
  return noted`
/** Waits for a number of the page, longer than a script of it may take. */
async function until(count: number, read: () => Promise<unknown>): Promise<void> {
  for (let last: unknown, tries = 0; ; tries++) {
    last = await read()
    if (last === count) return
    if (tries > 60) throw new Error(`there are ${last} of ${count}`)
    await after(1_000)
  }
}
/** Waits in the document of an app until it has read so many frames. */
const reads = (least: number) => `
  while (!(globalThis.mine?.seq >= ${least})) await new Promise((done) => setTimeout(done, 20))`

const worker = await workerApp()
const workers = { ...worker, script: `${show}${worker.script}` }

const scenarios: readonly Scenario[] = [
  {
    name: 'a document of no origin hands over two ports, and is welcomed and answered on the first alone',
    app: {
      script: `${show}
        const calls = new MessageChannel(), face = new MessageChannel(), heard = [[], []];
        const hear = (port, at) => { port.onmessage = ({ data }) => {
          heard[at].push(data);
          if (Array.isArray(data)) show({ origin: self.origin, welcome: typeof heard[0][0], ok: JSON.parse(data[1]).ok, face: heard[1].length })
        } };
        hear(calls.port1, 0); hear(face.port1, 1);
        parent.postMessage({ svc: 'hello', version: 1 }, '*', [calls.port2, face.port2]);
        calls.port1.postMessage([1, 'window', 'hello', '{}'])`,
    },
    async prove({ tab }) {
      deepEqual(await shown(tab), { origin: 'null', welcome: 'object', ok: true, face: 0 })
      equal(await tab.run('return win.connected'), true)
    },
  },
  {
    name: 'a reload in mid-call ends the call with bridge_reset, and the new document works',
    app: withSdk(`svc.ready.then(async () => {
      const { value = 0 } = await svc.storage.get({ key: 'documents' }).catch(() => ({}));
      await svc.storage.set({ key: 'documents', value: value + 1 });
      svc.tools.invoke({ tool_id: 'odd.hang' }).catch(({ code }) => parent.postMessage({ note: code }, '*'));
      show(value + 1)
    })`),
    async prove({ tab }) {
      await tab.run(note)
      for (const document of [1, 2, 3]) {
        equal(await shown(tab), document)
        await tab.run(`await new Promise((done) => { win.on('connected', done); win.reload() })`)
      }
      deepEqual(await tab.run(notes(3)), Array(3).fill('bridge_reset'))
      equal(await shown(tab), 4)
    },
  },
  {
    name: 'an app that wrote an address comes back with its query and hash, by a reload of its own and of its page',
    app: withSdk(
      `globalThis.place = () => location.search.replace(/^[?]window=[^&]+/, '') + location.hash; svc.ready.then(() => show(place()))`,
    ),
    async prove({ tab }) {
      for (const address of ['/notes/5?x=1#y', '?x=2#z', '#b']) {
        const own = `location.reload()`
        for (const [where, way] of [
          ['frame', own],
          ['frame', own],
          ['page', 'win.reload()'],
        ] as const) {
          await shown(tab)
          // WebKit keeps a path as it is.
          const written = await tab.run(
            `history.pushState(null, '', ${JSON.stringify(address)}); return place()`,
            'frame',
          )
          await tab.run(`globalThis.again = new Promise((done) => win.on('connected', done))`)
          await tab.run(`setTimeout(() => ${way})`, where)
          await tab.run('await again')
          deepEqual([address, way, await shown(tab)], [address, way, written])
        }
      }
    },
  },
  {
    name: 'an app is asked before it closes, closes, and opens again',
    app: withSdk(`let asked = 0;
      svc.onBeforeClose((reason) => { parent.postMessage({ note: reason }, '*'); return ++asked > 1 });
      svc.ready.then(() => show('ready'))`),
    async prove({ tab }) {
      await tab.run(note)
      equal(await shown(tab), 'ready')
      const first = await tab.run('return win.windowUuid')
      equal(await tab.run(`return await win.close('first')`), false)
      equal(await tab.run(`return await win.close('second')`), true)
      equal(await tab.run('return document.querySelectorAll("iframe").length'), 0)
      deepEqual(await tab.run(notes(2)), ['first', 'second'])
      await tab.run(mount('3'))
      equal(await shown(tab), 'ready')
      notEqual(await tab.run('return win.windowUuid'), first)
    },
  },
  {
    name: 'the document of another window runs nothing in the frame of a window, which is closed',
    app: withSdk(`${canSwap}; svc.ready`),
    async prove({ tab }) {
      await tab.run(note)
      const target = await tab.run(`
        const { app_id } = (await bridge.listWindows()).find(({ window_uuid }) => window_uuid === win.windowUuid)
        const asked = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ app_id }) }
        const { entry_url, window_uuid } = await (await fetch('/api/v1/svc-apps/windows', asked)).json()
        return [new URL(entry_url, location).href, window_uuid]`)
      for (const way of Object.keys(swaps)) {
        await tab.run(mount('4'))
        equal(await shown(tab), 'runs')
        await tab.run(`noted.length = 0; win.on('closed', ({ reason }) => noted.push(reason))`)
        await tab.run(`setTimeout(() => ways[${JSON.stringify(way)}](...${JSON.stringify(target)}))`, 'frame')
        const [heard] = (await tab.run(notes(1))) as unknown[]
        ok(String(heard).endsWith('was led to the document of another window'), `${way}: ${heard}`)
      }
    },
  },
  {
    name: 'the stream of a run comes whole and in order through reloads of the page and of the document',
    app: agentApp(recital),
    async prove({ tab, url }) {
      await tab.run(reads(60), 'frame')
      const windowUuid = await tab.run('return win.windowUuid')
      await tab.goto(url)
      await tab.run(startBridge)
      await tab.run(
        `globalThis.win = await bridge.attachWindow({ windowUuid: ${JSON.stringify(windowUuid)}, into: document.body })`,
      )
      await tab.run(reads(160), 'frame')
      await tab.run(`await new Promise((done) => { win.on('connected', done); win.reload() })`)
      await tab.run(reads(260), 'frame')
      const { numbered, ...rest } = (await shown(tab)) as { numbered: number[] }
      deepEqual(rest, { ...wholeRecital, woke: [] })
      equal(new Set(numbered).size, 1)
    },
  },
  {
    name: 'twelve pages with a window share the connections of a browser, are answered and told of their own window',
    app: withSdk(`globalThis.rename = (title) => svc.window.set_title({ title });
      addEventListener('message', ({ data }) => data?.title && rename(data.title)); svc.ready.then(() => show('ready'))`),
    async prove({ tab }) {
      await tab.run(`
        const { app_id } = (await bridge.listWindows()).find(({ window_uuid }) => window_uuid === win.windowUuid)
        globalThis.pages = []
        globalThis.opening = Array.from({ length: 12 }, async () => {
          const bridge = bridgeApi.createBridge(), heard = []
          bridge.on('title_changed', ({ title }) => heard.push(title))
          const win = await bridge.mountWindow({ into: document.body, appId: app_id, until: 'connected' })
          pages.push({ bridge, win, heard })
        })`)
      await until(12, () => tab.run('return pages.length'))
      const tell = (from: number) =>
        tab.run(`
        const rest = pages.slice(${from})
        const answers = await Promise.all(rest.map(async ({ win }, at) => {
          win.iframe.contentWindow.postMessage({ title: '${from} ' + at }, '*')
          return (await fetch('/api/v1/auth/whoami')).status
        }))
        while (rest.some(({ heard }) => heard.length === 0)) await new Promise((done) => setTimeout(done, 20))
        return rest.map(({ heard }, at) => [answers[at], ...heard.splice(0)])`)
      deepEqual(
        await tell(0),
        Array.from({ length: 12 }, (_, at) => [200, `0 ${at}`]),
      )
      await tab.run(`for (const { bridge } of pages.slice(0, 3)) bridge.dispose()`)
      deepEqual(
        await tell(3),
        Array.from({ length: 9 }, (_, at) => [200, `3 ${at}`]),
      )
      await tab.run(`for (const { bridge } of pages) bridge.dispose()`)
    },
  },
  {
    name: 'a worker has the svc of its document, and every call to it settles',
    app: workers,
    async prove({ tab }) {
      deepEqual(await shown(tab), workerShows)
    },
  },
  ...proxyScenarios,
  ...browserScenarios,
  otherSiteScenario,
]

/** Plays each scenario in a browser, on a host of their own; prints a tick for each, and returns whether all hold. */
export async function playScenarios(open: (dir: string) => Promise<Tab>): Promise<boolean> {
  const provider = await openFakeProvider()
  provider.behave(recites)
  Object.assign(process.env, { SVC_LLM_BASE_URL: provider.url, SVC_LLM_MODEL: 'fake-1' })
  const apps = await writeApps(Object.fromEntries(scenarios.map(({ app }, at) => [String(at), app])))
  const host = await startPageHost({ dir: apps.dir })
  const dir = mkdtempSync(join(tmpdir(), 'svc-browser-'))
  const tab = await open(dir)
  const troubles: string[] = []
  try {
    for (const [at, { name, prove }] of scenarios.entries()) {
      await tab.goto(host.url)
      await tab.run(startBridge)
      await tab.run(mount(String(at)))
      const trouble = await prove({ tab, url: host.url, dir, name: String(at) }).then(() => null, String)
      console.log(trouble === null ? `✓ ${name}` : `✗ ${name}\n${trouble}`)
      if (trouble !== null) troubles.push(trouble)
    }
    return troubles.length === 0
  } finally {
    await tab.close()
    await host.close()
    await provider.close()
    apps.remove()
    rmSync(dir, { recursive: true, force: true, maxRetries: 5 })
  }
}
