import type { OutgoingHttpHeaders } from 'node:http'
import { type Bend, createBendingFront, replaced } from '@svc/testing'
import type { Tab } from '../other-browsers/tab.ts'
import type { SmallApp } from './app-folder.ts'
import { startBridge } from './tab-page.ts'

const CSP = 'content-security-policy'
/** What becomes of a document: its app runs behind all walls, or nothing of it does. */
export type Verdict = 'walls' | 'nothing'

const headerOf = (change: (before: string) => string | readonly string[] | undefined): Partial<Bend> => ({
  response: (headers: OutgoingHttpHeaders) => {
    const after = change(String(headers[CSP]))
    if (after === undefined) delete headers[CSP]
    else headers[CSP] = after as string
  },
})
const beside = (policy: string) => headerOf((before) => `${before}, ${policy}`)
const first = (policy: string) => headerOf((before) => [policy, before])
const inPlace = (policy: string) => headerOf(() => policy)
const without = (...names: string[]) =>
  headerOf((before) =>
    before
      .split('; ')
      .filter((one) => !names.includes(one.split(' ')[0] ?? ''))
      .join('; '),
  )
const merged = (name: string, sources: string) =>
  headerOf((before) => before.replace(`${name} `, `${name} ${sources} `))
const meta = (at: RegExp, policy: string): Partial<Bend> => ({
  body: ({ 'content-type': type }) =>
    String(type).startsWith('text/html')
      ? replaced(at, `$&<meta http-equiv=content-security-policy content="${policy}">`)
      : null,
})

/** What proxies make of the policy of documents, and what becomes of an app then. */
export const policies: Readonly<Record<string, readonly [change: Partial<Bend>, verdict: Verdict]>> = {
  'as the host sends it': [{}, 'walls'],
  "default-src 'self' beside": [beside("default-src 'self'"), 'nothing'],
  "default-src 'self' as a header of its own": [first("default-src 'self'"), 'nothing'],
  "script-src 'self' beside": [beside("script-src 'self'"), 'nothing'],
  'a nonce beside': [beside("script-src 'nonce-abc'"), 'nothing'],
  'a nonce with strict-dynamic beside': [
    beside("script-src 'nonce-abc' 'strict-dynamic' 'unsafe-inline' https:"),
    'nothing',
  ],
  'a hash of something else beside': [
    beside(`script-src 'self' 'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='`),
    'nothing',
  ],
  "script-src-elem 'self' beside": [beside("script-src-elem 'self'"), 'nothing'],
  "script-src 'none' beside": [beside("script-src 'none'"), 'nothing'],
  'all schemes, but nothing inline': [beside('script-src http: https: blob:'), 'nothing'],
  'everything allowed beside': [beside("default-src * 'unsafe-inline' 'unsafe-eval' data: blob:"), 'walls'],
  'a policy of trusted types beside': [beside("require-trusted-types-for 'script'"), 'walls'],
  'names of trusted types beside': [beside('trusted-types dompurify'), 'nothing'],
  'frame-ancestors beside': [beside("frame-ancestors 'self'"), 'walls'],
  'upgrade-insecure-requests beside': [beside('block-all-mixed-content'), 'walls'],
  'a sandbox without scripts beside': [beside('sandbox'), 'nothing'],
  'a wide sandbox beside': [
    beside('sandbox allow-scripts allow-same-origin allow-forms allow-popups'),
    'walls',
  ],
  'a policy that is only reported': [
    {
      response: (headers) => {
        headers[`${CSP}-report-only`] = "default-src 'self'"
      },
    },
    'walls',
  ],
  'no policy': [headerOf(() => undefined), 'walls'],
  'no header of security at all': [
    {
      response: (headers) => {
        for (const name of [
          CSP,
          'connection-allowlist',
          'permissions-policy',
          'x-content-type-options',
          'referrer-policy',
        ])
          delete headers[name]
      },
    },
    'walls',
  ],
  "default-src 'self' in place": [inPlace("default-src 'self'"), 'nothing'],
  'everything allowed in place': [
    inPlace("default-src * 'unsafe-inline' 'unsafe-eval' data: blob:"),
    'walls',
  ],
  'frame-ancestors in place': [inPlace("frame-ancestors 'self'"), 'walls'],
  'trusted types in place': [inPlace("require-trusted-types-for 'script'"), 'walls'],
  'an empty policy in place': [inPlace(''), 'walls'],
  'what is no policy in place': [inPlace('none'), 'walls'],
  'no connect-src': [without('connect-src', 'default-src'), 'walls'],
  'no sandbox': [without('sandbox'), 'walls'],
  'no trusted types': [without('require-trusted-types-for', 'trusted-types'), 'walls'],
  'everything merged into connect-src': [merged('connect-src', '*'), 'walls'],
  'everything merged into script-src': [merged('script-src', "* 'unsafe-inline' 'unsafe-eval'"), 'walls'],
  'a nonce merged into script-src': [merged('script-src', "'nonce-abc' 'strict-dynamic'"), 'nothing'],
  'a meta before the document': [meta(/^/, "script-src 'self'"), 'nothing'],
  'a meta in the head of the file': [meta(/(?=<title>)/, "default-src 'none'"), 'nothing'],
  'a meta that lets files run in the head of the file': [
    meta(/(?=<title>)/, 'script-src http: blob:'),
    'walls',
  ],
}

/** Says to its page what it is, and what of it gets out. */
export const policyApp: SmallApp = {
  script: `import { svc } from '@svc/sdk'
    const tries = (run) => { try { return String(run()) } catch { return 'refused' } }
    const asks = (url, global) => global.fetch(url, { mode: 'no-cors' }).then(() => 'reached', () => 'refused')
    const site = new URL(location.href).origin, elsewhere = site + '/healthz'
    const frame = document.createElement('template')
    frame.innerHTML = '<iframe></iframe>'
    const inline = document.createElement('script')
    inline.textContent = 'globalThis.inlined = 1'
    document.documentElement.append(inline)
    const worker = new Promise((done) => {
      const text = 'fetch(' + JSON.stringify(elsewhere) + ', { mode: "no-cors" }).then(() => postMessage("reached"), () => postMessage("refused"))'
      const made = new Worker(URL.createObjectURL(new Blob([text])))
      made.onmessage = ({ data }) => done(data)
      made.onerror = () => done('refused')
    })
    Promise.all([asks(elsewhere, globalThis), worker]).then((asked) => parent.postMessage({ ran: {
      origin: self.origin, call: typeof RTCPeerConnection, frame: tries(() => document.createElement('iframe')),
      text: frame.innerHTML.slice(0, 7), evaluated: tries(() => (0, eval)('1')), inlined: typeof inlined, asked,
    } }, '*'))
    svc.ready`,
}

/** What it says where all walls stand. */
const walled = {
  origin: 'null',
  call: 'undefined',
  frame: 'refused',
  text: '<xifram',
  evaluated: 'refused',
  inlined: 'undefined',
  asked: ['refused', 'refused'],
}

/** More than a document takes that runs; one of which nothing runs is waited for so long. */
const MS = { walls: 30_000, nothing: 20_000 }

/** Opens an app in a page whose bridge is ready; returns what the app said of itself, or the code of what the page is told. */
const openPoliced = (name: string, verdict: Verdict) => `
  const { installs } = await (await fetch('/api/v1/svc-apps/installs')).json()
  const appId = installs.find((one) => one.name === ${JSON.stringify(name)}).app_id
  const said = new Promise((done) => addEventListener('message', ({ data }) => data?.ran && done(data.ran)))
  const mounted = bridge.mountWindow({ into: document.body, appId, until: 'connected', timeoutMs: ${MS[verdict]} })
  const failed = mounted.then(() => said, ({ code }) => code)
  const outcome = await Promise.race([said, failed])
  await mounted.then((win) => win.detach(), () => {})
  return outcome`

/** Plays rows one after the other in one page; `run` runs the body of a function there. Returns by name what came of each. */
export async function playPolicies(
  target: string,
  rows: readonly string[],
  app: string,
  { goto, run }: Pick<Tab, 'goto' | 'run'>,
): Promise<Map<string, unknown>> {
  const front = await createBendingFront({ target })
  const outcomes = new Map<string, unknown>()
  try {
    await goto(front.url)
    await run(startBridge)
    for (const row of rows) {
      const [change = {}, verdict = 'walls'] = policies[row] ?? []
      front.bend({ does: row, on: /\/bundles\//, ...change })
      outcomes.set(row, await run(openPoliced(app, verdict)))
    }
    return outcomes
  } finally {
    await front.close()
  }
}

/** What is expected of a row. */
export const outcomeOf = (row: string): unknown => (policies[row]?.[1] === 'walls' ? walled : 'load_failed')
