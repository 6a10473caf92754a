import { closePages, sharedChromium } from '@svc/conformance/chromium'
import { openRealPage, type RealPage } from '@svc/conformance/testing/real-page'
import { verifies } from '@svc/conformance/verifies'
import type { Browser } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect } from 'vitest'

let browser: Browser
let at: RealPage

beforeAll(async () => {
  browser = await sharedChromium()
})
afterAll(() => closePages(browser))
afterEach(() => at.close())

const host_api = { agent: { session: { auto: true } }, llm: ['stream'], storage: ['*'] }
const app = (body: string, split = true) => ({
  host_api,
  split,
  script: `import { svc } from '@svc/sdk'; globalThis.svc = svc; svc.ready; ${body}`,
})

const WAITS = '**/sessions-*.js'
const open = `(async () => (await svc.agent.session({ submode: 'auto' })).appSessionUuid)().catch(({ code }) => code)`

verifies(
  'design.sdk.on_demand',
  'loads sessions into the sandbox when they are needed, and again after that failed',
  async () => {
    at = await openRealPage(browser, { app: app('') })
    await at.context.route(WAITS, (route) => route.abort())
    await at.mount('app')
    expect(await at.frame().evaluate(open)).toBe('load_failed')
    await at.context.unroute(WAITS)
    expect(await at.frame().evaluate(open)).toMatch(/^aps_/)
  },
)

const talk = `(async () => {
  const chat = await svc.agent.session({ submode: 'auto' });
  const run = await chat.run('hello');
  const pieces = [];
  for await (const piece of run.text()) pieces.push(piece);
  const { text, aborted, usage } = await run.final();
  const again = await (await (await svc.agent.session({ appSessionUuid: chat.appSessionUuid })).attach(run.runId)).final();
  const stream = await svc.llm.streamText({ messages: [{ role: 'user', content: { type: 'text', text: 'hi' } }] });
  return [pieces.length > 1, pieces.join('') === text, again.text === text, aborted, usage.totalTokens > 0, (await stream.final()).text.length > 0];
})()`

verifies.each(['sdk.session.handle', 'design.stream.attach', 'design.sdk.stream_text'])([
  ['in files of its own', true],
  ['in one file', false],
])('talks with a real host, built %s', async (_, split) => {
  at = await openRealPage(browser, { app: app('', split) })
  await at.mount('app')
  expect(await at.frame().evaluate(talk)).toEqual([true, true, true, false, true, true])
})

verifies(
  ['design.stream.attach', 'design.sdk.run.reload'],
  'finds its run again after a reload of the document',
  async () => {
    at = await openRealPage(browser, { app: app('') })
    await at.mount('app')
    const begun = await at.frame().evaluate(`(async () => {
    const chat = await svc.agent.session({ submode: 'auto' });
    const run = await chat.run('hello');
    for await (const piece of run.text()) return { appSessionUuid: chat.appSessionUuid, runId: run.runId, seq: run.lastSeq, piece };
  })()`)
    await at.page.evaluate(
      () =>
        new Promise<void>((done) => {
          globalThis.win.on('connected', () => done())
          globalThis.win.reload()
        }),
    )
    const ends = await at.frame().evaluate(`(async ({ appSessionUuid, runId, seq, piece }) => {
    const chat = await svc.agent.session({ appSessionUuid });
    const whole = await (await chat.attach(runId)).final();
    const rest = await (await chat.attach(runId, { afterSeq: seq })).final();
    return [whole.text.startsWith(piece), whole.text.endsWith(rest.text), whole.text.length > rest.text.length, whole.aborted];
  })(${JSON.stringify(begun)})`)
    expect(ends).toEqual([true, true, true, false])
  },
)
