import { type BendingFront, type BendName, type BendRow, bendTable, createBendingFront } from '@svc/testing'
import type { Tab } from '../other-browsers/tab.ts'
import type { SmallApp } from './app-folder.ts'
import { startBridge } from './tab-page.ts'

/** Calls and streams when its page says so, and says what came of it. */
export const bentApp: SmallApp = {
  script: `import { svc } from '@svc/sdk'
    addEventListener('message', ({ data }) => {
      if (data?.title === undefined) return
      svc.window.set_title({ title: data.title }).then(() => 'ok', ({ code }) => code)
        .then((answer) => parent.postMessage({ answer, title: data.title }, '*'))
    })
    svc.ready`,
}

/** A bridge of its own for each row, with what it tells, and a window of the app where `mount` is called. */
const begin = (app: string, slackMs: number) => `
  const bridge = bridgeApi.createBridge({ onError() {} }), told = new Set(), answers = new Map(), titles = new Map()
  bridge.on('host_lost', ({ reason }) => told.add('host_lost ' + reason))
  bridge.on('intercepted', ({ status }) => told.add('intercepted ' + status))
  bridge.on('signed_out', () => told.add('signed_out'))
  bridge.on('title_changed', ({ title }) => titles.set(title, performance.now()))
  addEventListener('message', ({ data }) => data?.answer && answers.set(data.title, data.answer))
  const { installs } = await (await fetch('/api/v1/svc-apps/installs')).json()
  const appId = installs.find((one) => one.name === ${JSON.stringify(app)}).app_id
  globalThis.bent = { bridge, told, answers, titles,
    mount: () => bridge.mountWindow({ into: document.body, appId, until: 'connected', timeoutMs: ${10_000 + slackMs} })
      .then((win) => { bent.win = win; return '' }, ({ code }) => code) }`

/** Asks the app for calls and events: an event may be lost before the page has its place in the stream, and be late no more after that. */
const probe = `
  const { told, answers, titles, win } = bent
  const until = async (is, ms) => {
    for (const end = performance.now() + ms; !is() && performance.now() < end;) await new Promise((done) => setTimeout(done, 10))
    return is()
  }
  const said = () => [...told].map((one) => '; ' + one).join('')
  const ask = (title) => win.iframe.contentWindow.postMessage({ title }, '*')
  ask('0')
  await until(() => answers.has('0') || told.size > 0, 30_000)
  await until(() => answers.has('0'), 1_500)
  const answer = answers.get('0') ?? 'no answer yet'
  if (answer !== 'ok') {
    await until(() => told.size > 0, 8_000)
    return answer + said()
  }
  for (let n = 1, since = 0; n < 12 && since < 5 && titles.size === 0; n++) {
    if (told.size > 0) since++
    if (!(await until(() => titles.size > 0, 1_000))) ask(String(n))
  }
  if (titles.size === 0) return 'no event' + said()
  ask('last')
  await until(() => answers.has('last'), 15_000)
  const from = performance.now()
  await until(() => titles.has('last'), 15_000)
  const late = titles.get('last') - from
  return late < SLACK ? 'works' : 'event after ' + Math.round(late) + ' ms' + said()`

/** What the bridge has told, once it has told anything. */
const told = `for (let n = 0; n < 80 && bent.told.size === 0; n++) await new Promise((done) => setTimeout(done, 50))
  return [...bent.told].map((one) => '; ' + one).join('')`

const end = `
  await Promise.race([bent.win?.close().catch(() => {}), new Promise((done) => setTimeout(done, 500))])
  bent.bridge.dispose()`

/** What becomes of an app whose window was opened, or `failed` to be. */
const outcomeOf = async (run: Tab['run'], failed: unknown, slackMs: number): Promise<unknown> =>
  failed ? `${failed}${await run(told)}` : run(probe.replace('SLACK', String(2_000 + slackMs)))

/** When a front begins to bend: before a window is opened, or while it is shown; then all connections break. */
export type BentAt = 'opens' | 'runs'

/** Plays a bend in a page with `bridgeApi` that is signed in; says what the page and the app saw of it. */
export async function playBend(
  { run }: Pick<Tab, 'run'>,
  front: BendingFront,
  bends: readonly BendName[],
  at: BentAt,
  slackMs: number,
  app = 'bent',
): Promise<unknown> {
  front.bend()
  await run(begin(app, slackMs))
  if (at === 'opens') front.bend(...bends)
  const failed = await run('return await bent.mount()')
  if (at === 'runs') {
    front.bend(...bends)
    front.cut()
  }
  const outcome = await outcomeOf(run, failed, slackMs)
  front.bend()
  await run(end)
  return outcome
}

/** Opens a window of the app in a page behind something real, and says the same; `before` is called when the page is ready. */
export async function playStraight(
  { run }: Pick<Tab, 'run'>,
  slackMs: number,
  before = () => {},
): Promise<unknown> {
  await run(begin('bent', slackMs))
  before()
  return outcomeOf(run, await run('return await bent.mount()'), slackMs)
}

const gap = `
  const { titles, win } = bent
  const ask = (title) => win.iframe.contentWindow.postMessage({ title }, '*')
  const pause = () => new Promise((done) => setTimeout(done, 50))`

/** Breaks all connections of a page whose stream has its place, and says whether it hears what comes before the next one. */
export async function playGap(
  { run }: Pick<Tab, 'run'>,
  front: BendingFront,
  bends: readonly BendName[],
): Promise<unknown> {
  front.bend(...bends)
  await run(begin('bent', 0))
  await run('await bent.mount()')
  // What comes before the page has its place may be lost.
  await run(`${gap}; for (let n = 0; !titles.size; n++) { if (n % 20 === 0) ask('before'); await pause() }`)
  front.cut()
  return run(`${gap}; ask('gap'); for (let n = 0; n < 300 && !titles.has('gap'); n++) await pause()
    return titles.has('gap')`)
}

/** What browsers other than Chromium see: they ask less of scripts, and have not heard of the sign-in when the window is refused. */
const elsewhere: Readonly<Record<string, string>> = { adds_corp: 'works', drops_host: 'permission_denied' }

/** Plays in another browser than Chromium the bends before which a window is opened, one after the other; returns those that were seen otherwise than expected. */
export async function playOpens(
  target: string,
  tab: Pick<Tab, 'goto' | 'run'>,
  slackMs: number,
  app: string,
): Promise<string[]> {
  const front = await createBendingFront({ target })
  const others: string[] = []
  try {
    await tab.goto(front.url)
    await tab.run(startBridge)
    for (const [name, { opens }] of Object.entries<BendRow>(bendTable)) {
      const seen = await playBend(tab, front, [name as BendName], 'opens', slackMs, app)
      const wanted = elsewhere[name] ?? opens
      if (seen !== wanted) others.push(`${name}: ${seen}, not ${wanted}`)
    }
    return others
  } finally {
    await front.close()
  }
}
