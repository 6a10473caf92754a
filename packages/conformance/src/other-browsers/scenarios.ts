import { deepEqual, equal, notEqual } from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type SmallApp, writeApps } from '../testing/app-folder.ts'
import { show } from '../testing/bridge-page.ts'
import { openFakeProvider } from '../testing/fake-provider.ts'
import { startPageHost } from '../testing/page-host.ts'
import { agentApp, recital, recites, wholeRecital } from '../testing/reciter-app.ts'
import type { Tab } from './tab.ts'
import { mount, shown, startBridge } from './tab-page.ts'

/** What must hold in every browser between a page, the documents in it, and the host. */
interface Scenario {
  readonly name: string
  readonly app: SmallApp
  readonly prove: (at: { readonly tab: Tab; readonly url: string }) => Promise<void>
}

const withSdk = (script: string): SmallApp => ({
  script: `import { svc } from '@svc/sdk'; ${show} ${script}`,
})
const note = `addEventListener('message', ({ data }) => { if (data?.note !== undefined) noted.push(data.note) })`
/** Waits in the page until something was noted so often; returns all notes. */
const notes = (count: number) => `
  while (noted.length < ${count}) await new Promise((done) => setTimeout(done, 20))
  return noted`
/** Waits in the document of an app until it has read so many frames. */
const reads = (least: number) => `
  while (!(globalThis.mine?.seq >= ${least})) await new Promise((done) => setTimeout(done, 20))`

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
      await tab.run(mount('2'))
      equal(await shown(tab), 'ready')
      notEqual(await tab.run('return win.windowUuid'), first)
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
      const trouble = await prove({ tab, url: host.url }).then(() => null, String)
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
