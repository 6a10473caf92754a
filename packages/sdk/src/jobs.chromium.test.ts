import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { closePages, sharedChromium } from '@svc/conformance/chromium'
import { openRealPage, type RealPage } from '@svc/conformance/testing/real-page'
import { verifies } from '@svc/conformance/verifies'
import type { Browser } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'

let browser: Browser
let at: RealPage
let folder: string
/** The tool that waits for it answers when it is there. */
let file: string

beforeAll(async () => {
  browser = await sharedChromium()
})
afterAll(() => closePages(browser))
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-jobs-'))
  file = join(folder, 'go')
})
afterEach(async () => {
  await at.close()
  rmSync(folder, { recursive: true, force: true })
})

const withSdk = (body: string) => `import { svc } from '@svc/sdk'; ${body}`
const odd = (method: string, args: object) => JSON.stringify({ tool_id: 'odd', method, args })
const go = () => writeFileSync(file, '')

verifies(
  ['sdk.invokeAsyncAwait.resolves', 'sdk.invokeAsyncAwait.progress', 'design.sdk.supports'],
  'waits for jobs of a real process, with all of their progress',
  async () => {
    at = await openRealPage(browser, {
      builder: withSdk(`const told = [];
        const run = (args, options) => svc.tools.invokeAsyncAwait(args, options).catch(({ code, details }) => [code, details.state]);
        (async () => show([
          await run(${odd('tell', { steps: 5 })}, { onProgress: ({ seq, type, data, missed }) => told.push([seq, type, data.step, missed]) }),
          told,
          await run(${odd('reply', { reply: { result: { success: false, error: 'no' } } })}),
          await run(${odd('size', { bytes: 262_145 })}),
          await run(${odd('exit', { code: 9 })}),
          await run({ tool_id: 'odd', method: 'nope' }),
          await svc.supports('tools.invokeAsync'),
          await svc.supports('chat.append_artifact'),
        ]))()`),
    })
    await at.mount('builder')
    expect(await at.shown()).toEqual([
      { told: 5 },
      [1, 2, 3, 4, 5].map((seq) => [seq, 'step', seq, 0]),
      ['tool_failed', 'failed'],
      ['result_too_large', 'failed'],
      ['plug_error', 'failed'],
      ['invalid_arg', null],
      true,
      false,
    ])
  },
)

verifies('sdk.invokeAsyncAwait.abort', 'cancels the job of a real process by its signal', async () => {
  at = await openRealPage(browser, {
    stopper: withSdk(`const stop = new AbortController(); globalThis.stop = stop;
      svc.tools.invokeAsyncAwait(${odd('hang', { grandchild: true })}, { signal: stop.signal }).catch(async ({ code, details }) => {
        const job = svc.tools.job(details.jobId);
        const end = await job.result().catch((error) => error.code);
        show([code, end, (await job.snapshot()).state, await job.cancel()].map((one) => one.cancelled ?? one));
      });`),
  })
  await at.mount('stopper')
  await expect.poll(() => at.processes().some(({ command }) => command.includes('sleep 1'))).toBe(true)
  await at.frame().evaluate('stop.abort()')
  expect(await at.shown()).toEqual(['cancelled', 'cancelled', 'cancelled', false])
  await expect.poll(() => at.processes().some(({ command }) => command.includes('sleep'))).toBe(false)
})

verifies(
  ['design.sdk.job', 'design.sdk.job.result'],
  'finds a job again after a reload in the middle of it',
  async () => {
    at = await openRealPage(browser, {
      reloaded: withSdk(
        `const told = []; globalThis.told = told;
        (async () => {
          const { jobs: [mine] } = await svc.tools.listJobs({ clientTag: 'build' });
          if (!mine) return svc.tools.invokeAsyncAwait({ ...${odd('tell', { steps: 3, file: 'FILE' })}, clientTag: 'build' },
            { onProgress: ({ seq }) => told.push(seq) });
          const job = svc.tools.job(mine.jobId);
          const reading = (async () => { for await (const { seq } of job.progress()) told.push(seq) })();
          const result = await job.result();
          await reading;
          show([mine.state, result.waited, told]);
        })()`.replace('FILE', file),
      ),
    })
    await at.mount('reloaded')
    await expect.poll(() => at.frame().evaluate('told')).toEqual([1, 2, 3])
    await at.page.evaluate(
      () =>
        new Promise<void>((done) => {
          globalThis.win.on('connected', () => done())
          globalThis.win.reload()
        }),
    )
    await expect.poll(() => at.frame().evaluate('told')).toEqual([1, 2, 3])
    go()
    expect(await at.shown()).toEqual(['running', true, [1, 2, 3]])
  },
)

const pagehide = (persisted: boolean) =>
  at.frame().evaluate((kept) => {
    dispatchEvent(new PageTransitionEvent('pagehide', { persisted: kept }))
  }, persisted)

it.each([
  ['goes on when the document comes back from where the browser put it aside', true, [true, [1, 2]]],
  ['ends with its document', false, 'bridge_reset'],
])('%s', async (_, comesBack, end) => {
  at = await openRealPage(browser, {
    aside: withSdk(
      `const told = []; globalThis.told = told;
      svc.tools.invokeAsyncAwait(${odd('tell', { steps: 2, file: 'FILE' })}, { onProgress: ({ seq }) => told.push(seq) })
        .then(({ waited }) => show([waited, told]), ({ code }) => show(code));`.replace('FILE', file),
    ),
  })
  await at.mount('aside')
  await expect.poll(() => at.frame().evaluate('told')).toEqual([1, 2])
  await pagehide(comesBack)
  if (comesBack) {
    go()
    await at.frame().evaluate(() => {
      dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))
    })
  }
  expect(await at.shown()).toEqual(end)
})
