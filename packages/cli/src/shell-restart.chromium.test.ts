import { closePages, sharedChromium } from '@svc/conformance/chromium'
import { TEST_START_TOKEN } from '@svc/conformance/start-token'
import { behaviours } from '@svc/conformance/testing/fake-provider'
import { verifies } from '@svc/conformance/verifies'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest'
import { bundledSdk } from './testing/bundled-sdk.ts'
import { type KeptHost, startKeptHost } from './testing/kept-host.ts'
import { appsOf, insideOf, windowOf } from './testing/tiny-shell.ts'

const STORY_MS = 180_000
const PATIENT = { timeout: 30_000 }
const WORDS = Array.from({ length: 3_000 }, (_, at) => `w${at} `)

const document_ = `<!doctype html>
<html lang="en">
  <head><meta charset="utf-8" /><title>Kept</title></head>
  <body><main><label>Note <input id="note" /></label></main><script type="module" src="./main.js"></script></body>
</html>`

/** What is not acknowledged is asked for again, as an app does that loses nothing. */
const code = `import { svc } from './sdk.js'
const main = document.querySelector('main')
const show = (id) => {
  const line = document.createElement('p')
  line.id = id
  main.append(line)
  return (text) => { line.textContent = text }
}
const offer = (name, act) => {
  const say = show(name + '-says')
  const button = document.createElement('button')
  button.textContent = name
  button.onclick = () => act(say).catch((error) => say('failed: ' + (error.code ?? error)))
  main.append(button)
}
const insist = async (work) => {
  for (;;)
    try { return await work() }
    catch (error) {
      if (error.code !== 'host_unreachable' && !error.retryable && !(error instanceof TypeError)) throw error
      await new Promise((done) => setTimeout(done, 100))
    }
}
const note = document.querySelector('#note')
offer('save', async (say) => {
  const { value } = note
  say('saving')
  await insist(() => svc.storage.set({ key: 'note', value }))
  say('saved ' + value)
})
offer('read', async (say) => say('read ' + (await svc.storage.get({ key: 'note' })).value))
offer('talk', async (say) => {
  const chat = await svc.agent.session({ submode: 'auto' })
  const run = await chat.run('Go on.')
  let text = ''
  run.on('frame', (frame) => {
    if (frame.event === 'sse') text += frame.data.choices[0]?.delta.content ?? ''
    say(text)
  })
  await run.final().catch((error) => say(text + 'ended: ' + error.code))
})
offer('walk', async (say) => {
  const { jobId } = await svc.tools.invokeAsync({ tool_id: 'steps', method: 'walk', args: { n: '1' } })
  say('started')
  await svc.tools.job(jobId).result().catch((error) => say('ended: ' + error.code))
})
const file = new Blob(['a,b'], { type: 'text/csv' })
let upload
offer('negotiate', async (say) => {
  upload = await svc.upload.negotiate({ mime: file.type, purpose: 'test', size_bytes: file.size })
  say('negotiated')
})
offer('put', async (say) => {
  say('sending')
  await insist(() => fetch(upload.upload_url, { method: 'PUT', body: file }))
  const { url } = await insist(() => svc.upload.confirm({ file_ref: upload.file_ref }))
  say(url)
})
await svc.window.ready()
`

let browser: Browser
let kept: KeptHost
let page: Page
const troubles: string[] = []
const loads: string[] = []

beforeAll(async () => {
  browser = await sharedChromium()
})
afterAll(() => closePages(browser))
beforeEach(async () => {
  kept = await startKeptHost({ 'index.html': document_, 'main.js': code, 'sdk.js': await bundledSdk() })
  const context = await browser.newContext({ viewport: { width: 1_280, height: 800 } })
  page = await context.newPage()
  troubles.length = 0
  loads.length = 0
  page.on('pageerror', (error) => troubles.push(error.message))
  page.on('framenavigated', (frame) => {
    if (frame.url() !== 'about:blank') loads.push(new URL(frame.url()).pathname)
  })
  await page.goto(`${kept.url}/?token=${TEST_START_TOKEN}`)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await appsOf(page).getByRole('button', { name: /^Kept/ }).click()
}, STORY_MS)
afterEach(async () => {
  await page.context().close()
  await kept.close()
})

const inside = () => insideOf(page, 'Kept')
const press = (name: string) => inside().getByRole('button', { name }).click()
const says = async (name: string) => (await inside().locator(`#${name}-says`).textContent()) ?? ''

verifies(
  'data.kept.page',
  'a host killed and started again under a note, a chat, a job and an upload: one sentence, nothing lost, no reload',
  async () => {
    kept.provider.behave(behaviours.recites(WORDS, 20))
    await inside().getByLabel('Note').fill('first')
    await press('save')
    await expect.poll(() => says('save'), PATIENT).toBe('saved first')
    await press('talk')
    await expect.poll(() => says('talk'), PATIENT).toContain('w20 ')
    await press('walk')
    await expect.poll(() => says('walk'), PATIENT).toBe('started')
    await expect.poll(kept.calls, PATIENT).toEqual(['1'])
    await press('negotiate')
    await expect.poll(() => says('negotiate'), PATIENT).toBe('negotiated')
    const [before, loaded] = [await says('talk'), [...loads]]

    await kept.kill()
    await page.getByText('The host does not respond').first().waitFor()
    await inside().getByLabel('Note').fill('second')
    await press('save')
    await press('put')
    expect(await says('save')).toBe('saving')
    expect(await says('talk')).toContain(before)

    await kept.start()
    await expect.poll(() => says('save'), PATIENT).toBe('saved second')
    await expect.poll(() => says('put'), PATIENT).toMatch(/^http:/)
    expect(await (await fetch(await says('put'))).text()).toBe('a,b')
    await expect.poll(() => says('walk'), PATIENT).toBe('ended: agent_unavailable')
    await expect.poll(() => says('talk'), PATIENT).toMatch(/^w0 .*ended: internal_error$/)
    const told = (await says('talk')).replace('ended: internal_error', '')
    expect(WORDS.join('').startsWith(told) && told.startsWith(before)).toBe(true)
    await press('read')
    await expect.poll(() => says('read'), PATIENT).toBe('read second')

    await expect.poll(() => page.getByText('The host does not respond').count(), PATIENT).toBe(0)
    expect(await page.getByText('no longer knows').count()).toBe(0)
    expect(await page.getByRole('button', { name: 'Sign in' }).count()).toBe(0)
    expect(await windowOf(page, 'Kept').count()).toBe(1)
    expect(loads).toEqual(loaded)
    expect(troubles).toEqual([])
    expect(kept.calls()).toEqual(['1'])
  },
  STORY_MS,
)
