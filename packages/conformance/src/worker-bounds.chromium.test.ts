import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect } from 'vitest'
import { closePages, sharedChromium } from './chromium.ts'
import { openRealPage, type RealPage } from './testing/real-page.ts'
import { verifies } from './verifies.ts'

const ask = `const ask = (worker, message = 1) => new Promise((done) => {
  worker.onmessage = ({ data }) => done(data); worker.postMessage(message) })
const idle = 'data:,onmessage = ({ data }) => postMessage(data)'
const makeAll = () => { const made = []; try { for (let n = 0; n < 1000; n++) made.push(new Worker(idle)) } catch (error) {
  return { made, said: [made.length, error.name, error.message] } } }`
/** What an app tries, and what it may be told. */
const tries = {
  many: `for (let n = 0; n < 1000; n++) new Worker(idle).terminate()
    const { made, said } = makeAll(); const last = await ask(made.at(-1), 'last')
    made[0].terminate(); const next = await ask(new Worker(idle), 'next')
    return [said, last, next]`,
  gone: `const events = []
    for (const [file, name] of [['leaves.js', 'closed'], ['broken.mjs', 'failed']]) {
      const worker = new Worker(file, { type: file.endsWith('mjs') ? 'module' : 'classic' })
      worker.onerror = (event) => event.preventDefault()
      worker.postMessage(1)
      await new Promise((done) => worker.addEventListener('close', done))
      events.push(name)
    }
    return [events, makeAll().said[0]]`,
  deep: `return ask(new Worker('many.mjs', { type: 'module' }))`,
  loop: `for (let n = 0; n < 2; n++) new Worker('data:,for (;;);')
    await svc.storage.set({ key: 'a', value: 1 }); return (await svc.storage.get({ key: 'a' })).value`,
  memory: `const kept = []
    try { for (;;) { const memory = new WebAssembly.Memory({ initial: 32768 }); kept.push(memory) } }
    catch (error) { return error.name }`,
  other: `return (await svc.ready).view_meta.name`,
}
const files = {
  'leaves.js': `onmessage = () => close()`,
  'broken.mjs': `import './nothing.mjs'`,
  'many.mjs': `onmessage = async () => { const made = []
    try { for (;;) made.push(new Worker(new URL('deepest.mjs', import.meta.url), { type: 'module' })) } catch ({ message }) {
      made[0].onmessage = ({ data }) => postMessage([made.length, message, data])
      made[0].postMessage(1)
    } }`,
  'deepest.mjs': `onmessage = () => { try { new Worker('deepest.mjs') } catch ({ message }) { postMessage(message) } }`,
}

let browser: Browser
let at: RealPage
beforeAll(async () => {
  browser = await sharedChromium()
  const apps = Object.entries(tries).map(([name, body]) => {
    const script = `import { svc } from '@svc/sdk'; ${ask}; (async () => { ${body} })().catch(String).then(show)`
    return [name, { script, files }] as const
  })
  at = await openRealPage(browser, Object.fromEntries(apps))
}, 60_000)
afterAll(async () => {
  await at.close()
  await closePages(browser)
})

const tooMany = 'an app in a window can have 64 workers at a time: end those that are done with terminate()'
verifies.each('wall.bundle.workers')<[string, keyof typeof tries, unknown]>([
  ['1 000 workers', 'many', [[64, 'QuotaExceededError', tooMany], 'last', 'next']],
  ['workers that closed or did not load', 'gone', [['closed', 'failed'], 64]],
  [
    'workers that make workers',
    'deep',
    [
      4,
      'a worker can have 4 workers at a time: end those that are done with terminate()',
      'a worker of a worker cannot make workers: make them where that one was made',
    ],
  ],
  ['workers that loop for ever', 'loop', 1],
  ['memories of WebAssembly of 2 GiB, one after the other,', 'memory', 'RangeError'],
])('%s are bounded, and told', async (_, name, shown) => {
  await at.mountSilent(name)
  expect(await at.shown(60_000)).toEqual(shown)
  await at.page.evaluate(() => globalThis.win.close('', { force: true }))
  await at.mountSilent('other')
  expect(await at.shown(30_000)).toBe('main')
  await at.page.evaluate(() => globalThis.win.close('', { force: true }))
})
